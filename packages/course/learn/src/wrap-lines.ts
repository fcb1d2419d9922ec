import { wrapAnsi } from "fast-wrap-ansi";

/** Wraps each line of a text at words. The rest of a line is indented as its beginning is. */
export function wrapLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => {
      const content = line.trimStart();
      const indent = line.slice(0, line.length - content.length);
      return wrapAnsi(content, Math.max(20, columns - indent.length))
        .split("\n")
        .map((row) => indent + row)
        .join("\n");
    })
    .join("\n");
}
