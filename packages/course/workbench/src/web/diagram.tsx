import { onThemeChange } from "@operator-path/ui/web";
import { useEffect, useRef, useState } from "preact/hooks";
import { useScrolls } from "./scroll-pre.tsx";
import { strings } from "./strings.ts";
import { currentTheme } from "./theme.ts";

/** A diagram of the page. Its source is shown until the library that draws it has loaded. */
export function Diagram({ source }: { readonly source: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useScrolls(frame);
  const [theme, setTheme] = useState(currentTheme);
  const [failed, setFailed] = useState(false);
  useEffect(() => onThemeChange(() => setTheme(currentTheme())), []);
  useEffect(() => {
    let current = true;
    import("./draw-diagram.ts")
      .then(({ drawDiagram }) => drawDiagram(source, theme))
      .then((svg) => {
        if (current && box.current) box.current.replaceChildren(svg);
      })
      .catch(() => setFailed(true));
    return () => {
      current = false;
    };
  }, [source, theme]);
  return (
    <div
      ref={frame}
      class="diagram"
      role="img"
      aria-label={`${strings.diagram}: ${source}`}
      tabIndex={scrolls ? 0 : undefined}
    >
      <div ref={box}>{failed && <pre>{source}</pre>}</div>
    </div>
  );
}
