import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Returns a value that changes only now and then. The last one always arrives.
 *
 * @param pace milliseconds between two changes
 */
export function useSlowly<T>(value: T, pace: number): T {
  const shown = useRef({ value, at: Number.NEGATIVE_INFINITY });
  const [, drawAgain] = useState(0);
  const wait = shown.current.at + pace - performance.now();
  if (wait <= 0 && shown.current.value !== value) shown.current = { value, at: performance.now() };
  const isBehind = shown.current.value !== value;
  useEffect(() => {
    if (!isBehind) return undefined;
    const timer = setTimeout(() => drawAgain((count) => count + 1), wait);
    return () => clearTimeout(timer);
  });
  return shown.current.value;
}
