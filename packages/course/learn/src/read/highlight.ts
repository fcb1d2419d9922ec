import { languages } from "@operator-path/workbench/languages";
import { type ShjToken, tokenizeWith } from "@speed-highlight/core/tokenize";
import type { createColors } from "picocolors";

export type Colors = ReturnType<typeof createColors>;

/** Returns code with colours. Each line has its own escape sequences. Unknown languages stay plain. */
export function highlight(code: string, language: string, colors: Colors): string {
  const known = languages[language.toLowerCase()];
  if (known === undefined || !colors.isColorSupported) return code;
  let text = "";
  tokenizeWith(code, known, (part, token) => {
    const paint = token && painters(colors)[token];
    text += paint ? part.replaceAll(/[^\n]+/g, (line) => paint(line)) : part;
  });
  return text;
}

function painters(c: Colors): Partial<Record<ShjToken, (text: string) => string>> {
  return {
    ...{ kwd: c.magenta, str: c.green, cmnt: c.dim, num: c.yellow, bool: c.yellow, esc: c.yellow },
    ...{ type: c.cyan, class: c.cyan, section: c.cyan, var: c.cyan, func: c.blue, err: c.red },
    ...{ deleted: c.red, insert: c.green },
  };
}

/** Returns the lines of a `console` block. Commands are bold. */
export function highlightConsole(code: string, colors: Colors): string {
  return code
    .split("\n")
    .map((line) => (line.startsWith("$ ") ? `${colors.green("$")} ${colors.bold(line.slice(2))}` : line))
    .join("\n");
}
