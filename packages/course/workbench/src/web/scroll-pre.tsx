import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

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
  useEffect(() => {
    const { current } = box;
    if (!current) return undefined;
    const measure = (): void => {
      setScrolls(current.scrollWidth > current.clientWidth || current.scrollHeight > current.clientHeight);
      // A scrollbar takes the room of half a line, so the style adds it to the height of whole lines.
      current.style.setProperty("--bars", `${current.offsetHeight - current.clientHeight}px`);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    if (current.firstElementChild) observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  }, []);
  return scrolls;
}
