import stripAnsi from "strip-ansi";

// Erasing a line changes what a person sees. All other escape sequences only set colours. These two survive
// stripping as characters of Unicode's private use area.
const eraseToEnd = "\uE000";
const eraseLine = "\uE001";

/**
 * Returns the lines that a person sees of a terminal's output: without escape sequences and trailing blanks,
 * and with carriage returns and backspaces applied. The last line may be incomplete, as a prompt is.
 */
export function screenLines(raw: string): string[] {
  const marked = raw
    .replaceAll("\u001b[K", eraseToEnd)
    .replaceAll("\u001b[0K", eraseToEnd)
    .replaceAll("\u001b[2K", eraseLine);
  return stripAnsi(marked).replaceAll("\u0007", "").split("\n").map(screenLine);
}

function screenLine(text: string): string {
  const line = text.replace(/\r+$/, "");
  if (!/[\r\b\uE000\uE001]/.test(line)) return line.trimEnd();
  let cells: string[] = [];
  let at = 0;
  for (const char of line) {
    if (char === "\r") at = 0;
    else if (char === "\b") at = Math.max(0, at - 1);
    else if (char === eraseToEnd) cells = cells.slice(0, at);
    else if (char === eraseLine) cells = [];
    else cells[at++] = char;
  }
  return Array.from(cells, (cell) => cell ?? " ")
    .join("")
    .trimEnd();
}
