import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/**
 * Returns whether a box has a width, also after it has changed. Undefined until it is known.
 *
 * @param least in pixels
 */
export function useIsWide(box: RefObject<HTMLElement | null>, least: number): boolean | undefined {
  const [isWide, setIsWide] = useState<boolean>();
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0 } = entry?.contentRect ?? {};
      // A hidden box has none.
      if (width > 0) setIsWide(width >= least);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [least]);
  return isWide;
}
