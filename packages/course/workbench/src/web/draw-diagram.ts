import mermaid from "mermaid";
import { colorToken, token } from "./theme.ts";

let drawn = 0;

/** Draws a diagram in the colours of the theme. Rejects with mermaid's message for a wrong source. */
export async function drawDiagram(source: string, theme: "light" | "dark"): Promise<Element> {
  mermaid.initialize({
    ...{ startOnLoad: false, securityLevel: "strict", theme: "base", look: "classic" },
    fontFamily: token("--sans"),
    flowchart: { useMaxWidth: false },
    sequence: { useMaxWidth: false },
    themeVariables: {
      ...{ darkMode: theme === "dark", fontSize: "14px", background: colorToken("--background") },
      ...{ primaryColor: colorToken("--raised"), primaryTextColor: colorToken("--text") },
      ...{ primaryBorderColor: colorToken("--line-strong"), lineColor: colorToken("--muted") },
      ...{ secondaryColor: colorToken("--surface"), tertiaryColor: colorToken("--surface") },
      ...{ edgeLabelBackground: colorToken("--background"), clusterBkg: colorToken("--surface") },
      clusterBorder: colorToken("--line"),
    },
  });
  // In the document's flow, mermaid's drawing would make the window scroll for a moment.
  const board = document.createElement("div");
  board.className = "drawing-board";
  document.body.append(board);
  const { svg } = await mermaid.render(`diagram-${++drawn}`, source, board).finally(() => board.remove());
  const parsed = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  if (!parsed) throw new Error("mermaid has drawn nothing");
  // The style sheet makes it fit, and decides how small the text may become.
  parsed.style.setProperty("--natural", `${parsed.viewBox.baseVal.width}px`);
  return parsed;
}
