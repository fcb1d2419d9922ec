import getWidth from "fast-string-truncated-width";

/**
 * Cuts a line to a width in columns, and ends a cut line with `…`. Escape sequences take no columns, and colours
 * end with the line.
 */
export function cut(line: string, columns: number): string {
  const { index, ellipsed } = getWidth(line, { limit: columns, ellipsis: "…" });
  if (!ellipsed) return line;
  return `${line.slice(0, index)}…${line.includes("\x1b[") ? "\x1b[0m" : ""}`;
}
