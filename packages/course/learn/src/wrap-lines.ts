import { stripVTControlCharacters } from "node:util";
import type { ReportStream } from "@operator-path/walkthrough";
import getWidth from "fast-string-truncated-width";
import { wrapAnsi } from "fast-wrap-ansi";

/**
 * Wraps each line of a text at words. The rest of a line is indented as its beginning is, after a mark such as
 * `✓ ` or `- ` and the indentation of code. Longer words, such as paths, stay in one piece, and so do commands in
 * backticks that fit on a line.
 */
export function wrapLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => {
      // Spaces at the end may be what a diff shows. wrapAnsi removes them.
      if (getWidth(line).width <= columns) return line;
      // The mark may have a colour.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: ESC begins a colour
      const [start = ""] = /^\s*(?:(?:\u001b\[\d+m)*[-+✓✗·!](?:\u001b\[\d+m)* +)?/.exec(line) ?? [];
      const indent = " ".repeat(stripVTControlCharacters(start).length);
      const width = Math.max(20, columns - indent.length);
      const whole = line
        .slice(start.length)
        .replaceAll(/`[^`]+`/g, (code) => (code.length < width ? code.replaceAll(" ", gap) : code));
      const rows = wrapAnsi(whole, width).replaceAll(gap, " ").split("\n");
      return rows.map((row, i) => (i === 0 ? start : indent) + row).join("\n");
    })
    .join("\n");
}

/** Stands for a blank where a line may not end. No text has it. */
const gap = "\u{e000}";

/** Returns a stream that wraps finished lines at the width of the terminal. Without a terminal, it does not. */
export function wrappingStream(stream: ReportStream): ReportStream {
  return {
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns || 80;
    },
    write(text) {
      const finished = stream.isTTY === true && text.endsWith("\n");
      return stream.write(finished ? wrapLines(text, stream.columns || 80) : text);
    },
  };
}
