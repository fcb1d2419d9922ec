import type { ComponentChildren } from "preact";
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
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const pre = box.current;
    if (!pre) return undefined;
    const measure = (): void =>
      setScrolls(pre.scrollWidth > pre.clientWidth || pre.scrollHeight > pre.clientHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(pre);
    return () => observer.disconnect();
  }, []);
  return (
    <pre ref={box} class={name} tabIndex={scrolls ? 0 : undefined}>
      {children}
    </pre>
  );
}
