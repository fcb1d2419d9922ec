import { useState } from "preact/hooks";

/**
 * A choice that this browser remembers.
 *
 * @param key the name in the browser's storage
 * @param possible what can be chosen. Anything else in the storage is ignored
 */
export function useRemembered<T extends string>(
  key: string,
  possible: readonly T[],
  initial: T,
): [chosen: T, choose: (value: T) => void] {
  const [chosen, setChosen] = useState<T>(
    () => possible.find((one) => one === localStorage.getItem(key)) ?? initial,
  );
  return [
    chosen,
    (value) => {
      localStorage.setItem(key, value);
      setChosen(value);
    },
  ];
}
