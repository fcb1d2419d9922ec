import { useEffect, useRef, useState } from "preact/hooks";
import { strings } from "./strings.ts";
import { currentTheme, onThemeChange } from "./theme.ts";

/** A diagram of the page. Its source is shown until the library that draws it has loaded. */
export function Diagram({ source }: { readonly source: string }) {
  const box = useRef<HTMLDivElement>(null);
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
    <div class="diagram" role="img" aria-label={`${strings.diagram}: ${source}`}>
      <div ref={box}>{failed && <pre>{source}</pre>}</div>
    </div>
  );
}
