import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Closes a menu at Escape and at a click elsewhere. Returns the reference of its box, and a function that closes it
 * and gives the focus back to its button.
 */
export function useDismiss(open: boolean, close: () => void) {
  const box = useRef<HTMLDivElement>(null);
  const closeWithFocus = (): void => {
    close();
    box.current?.querySelector("button")?.focus();
  };
  // An effect after the drawing would miss the keys that come before it.
  useLayoutEffect(() => {
    if (!open) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape") closeWithFocus();
    };
    const onClick = (event: MouseEvent): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) close();
    };
    addEventListener("keydown", onKey);
    addEventListener("click", onClick);
    return () => {
      removeEventListener("keydown", onKey);
      removeEventListener("click", onClick);
    };
  }, [open, close]);
  return { box, close: closeWithFocus };
}
