import { CommandError } from "../command-error.ts";
import type { Tree } from "./tree.ts";

/**
 * Puts lines before `+kubebuilder:scaffold:<marker>` in a file, indented as the marker is. Lines that are there already
 * are not put there twice.
 *
 * @throws CommandError when the marker is gone, saying what to add by hand
 */
export function insertAt(tree: Tree, path: string, marker: string, code: string): void {
  tree.edit(path, (text) => {
    // A checkout on Windows may have other ends of lines.
    const end = text.includes("\r\n") ? "\r\n" : "\n";
    const lines = text.split(end);
    const at = lines.findIndex((line) => isMarker(line, marker));
    if (at === -1) {
      throw new CommandError(
        `${path} has no line "+kubebuilder:scaffold:${marker}" any more: put the marker back, in a comment, where this belongs: ${code.trim().split("\n").join(" ⏎ ")}; nothing was written`,
      );
    }
    const indent = /^\s*/.exec(lines[at] ?? "")?.[0] ?? "";
    const fresh = code
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => (line === "" ? "" : indent + line));
    if (lines.some((_, start) => fresh.every((line, index) => says(lines[start + index], line)))) return text;
    return lines.toSpliced(at, 0, ...fresh).join(end);
  });
}

/** Indented as it may be, and with a comment of the author's after it. */
function says(line: string | undefined, wanted: string): boolean {
  const [text = "", code] = [line?.trim(), wanted.trim()];
  return text === code || (code !== "" && text.startsWith(`${code} `));
}

function isMarker(line: string, marker: string): boolean {
  return new RegExp(`^\\s*(//|#)\\s*\\+kubebuilder:scaffold:${marker}\\s*$`).test(line);
}
