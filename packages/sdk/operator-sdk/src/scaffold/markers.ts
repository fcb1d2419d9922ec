import { CommandError } from "../command-error.ts";
import type { Tree } from "./tree.ts";

/**
 * Inserts lines before `+kubebuilder:scaffold:<marker>` in a file, with the indentation of the marker. Does
 * nothing if the file already has the lines.
 *
 * @throws CommandError if the marker is missing; it contains the lines
 */
export function insertAt(tree: Tree, path: string, marker: string, code: string): void {
  tree.edit(path, (text) => {
    // A checkout on Windows may have CRLF line endings.
    const end = text.includes("\r\n") ? "\r\n" : "\n";
    const lines = text.split(end);
    const at = lines.findIndex((line) => isMarker(line, marker));
    if (at === -1) {
      throw new CommandError(
        `${path} has no line "+kubebuilder:scaffold:${marker}": put the marker back, in a comment at the place of this code: ${code.trim().split("\n").join(" ⏎ ")}; nothing was written`,
      );
    }
    const indent = /^\s*/.exec(lines[at] ?? "")?.[0] ?? "";
    const fresh = code
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => (line === "" ? "" : indent + line));
    if (lines.some((_, start) => fresh.every((line, index) => hasCode(lines[start + index], line))))
      return text;
    return lines.toSpliced(at, 0, ...fresh).join(end);
  });
}

/** Returns whether a line has the code, with any indentation and possibly a comment after it. */
function hasCode(line: string | undefined, wanted: string): boolean {
  const [text = "", code] = [line?.trim(), wanted.trim()];
  return text === code || (code !== "" && text.startsWith(`${code} `));
}

function isMarker(line: string, marker: string): boolean {
  return new RegExp(`^\\s*(//|#)\\s*\\+kubebuilder:scaffold:${marker}\\s*$`).test(line);
}
