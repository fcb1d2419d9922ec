import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Preformatted text. A keyboard reaches it only if it is wider or higher than its box, to scroll it. */
export function ScrollPre({
  class: name,
  children,
}: {
  readonly class: string;
  readonly children: ComponentChildren;
}) {
  const box = useRef<HTMLPreElement>(null);
  const scrolls = useScrolls(box);
  return (
    <pre ref={box} class={name} tabIndex={scrolls ? 0 : undefined}>
      {children}
    </pre>
  );
}

/** Returns whether the box or its first child is larger than the box has room for. */
export function useScrolls(box: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false);
  // Observed before the first drawing, the box is measured for it.
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return undefined;
    const measure = (): void => {
      setScrolls(current.scrollWidth > current.clientWidth || current.scrollHeight > current.clientHeight);
      // The style keeps shades off the scrollbars, and adds borders and scrollbar to the height of whole lines.
      const { offsetWidth, clientWidth, offsetHeight, clientHeight } = current;
      const { borderLeftWidth, borderRightWidth, borderTopWidth, borderBottomWidth } =
        getComputedStyle(current);
      const across = Number.parseFloat(borderLeftWidth) + Number.parseFloat(borderRightWidth);
      const upright = Number.parseFloat(borderTopWidth) + Number.parseFloat(borderBottomWidth);
      current.style.setProperty("--bars", `${offsetHeight - clientHeight}px`);
      current.style.setProperty("--bar-right", `${offsetWidth - clientWidth - across}px`);
      current.style.setProperty("--bar-below", `${offsetHeight - clientHeight - upright}px`);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    if (current.firstElementChild) observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  }, []);
  return scrolls;
}
