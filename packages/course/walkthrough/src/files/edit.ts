/** An edit that does not apply. `line` is the index of the diff's line that the file lacks. */
export class EditError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.name = "EditError";
    this.line = line;
  }
}

interface Hunk {
  /** The lines that the file must have: context and removed lines. */
  readonly before: { readonly text: string; readonly at: number }[];
  /** The lines that replace them. */
  readonly after: string[];
}

/**
 * Applies a `diff` fence. Lines that begin with `-` are removed, those with `+` are added, the rest is
 * context. `@@` lines or a line of `…` separate hunks. `---` and `+++` headers are ignored. Each hunk must
 * fit in exactly one place after the hunk before. Throws EditError.
 */
export function applyEdit(file: string, diff: string): string {
  const lines = file.split("\n");
  const result: string[] = [];
  let from = 0;
  for (const hunk of parseHunks(diff)) {
    const at = placeOf(hunk, lines, from);
    result.push(...lines.slice(from, at), ...hunk.after);
    from = at + hunk.before.length;
  }
  result.push(...lines.slice(from));
  return result.join("\n");
}

function parseHunks(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  diff
    .replace(/\n$/, "")
    .split("\n")
    .forEach((line, at) => {
      if (/^(?:---|\+\+\+) [^ ]/.test(line) && at < 2) return;
      if (line.startsWith("@@") || /^[ ]?\s*(?:\/\/|#)?\s*…\s*$/.test(line)) {
        hunk = undefined;
        return;
      }
      if (!hunk) {
        hunk = { before: [], after: [] };
        hunks.push(hunk);
      }
      const sign = line[0] ?? " ";
      if (sign !== "+" && sign !== "-" && sign !== " ") {
        throw new EditError(at, 'a line of a diff begins with "+", "-" or a space');
      }
      const text = line.slice(1);
      if (sign !== "+") hunk.before.push({ text, at });
      if (sign !== "-") hunk.after.push(text);
    });
  if (hunks.length === 0) throw new EditError(0, "an empty diff");
  return hunks;
}

function placeOf(hunk: Hunk, lines: readonly string[], from: number): number {
  const places: number[] = [];
  let best = 0;
  for (let at = from; at + hunk.before.length <= lines.length; at++) {
    const same = hunk.before.findIndex((line, i) => line.text !== lines[at + i]);
    if (same === -1) places.push(at);
    else best = Math.max(best, same);
  }
  const first = hunk.before[0];
  if (!first) {
    if (lines.length === 1 && lines[0] === "") return 0;
    throw new EditError(0, "only added lines: give a line of context, so that it is clear where they go");
  }
  if (places.length === 0) {
    const line = hunk.before[best] ?? first;
    throw new EditError(line.at, `the file does not have this line here: "${line.text}"`);
  }
  if (places.length > 1)
    throw new EditError(first.at, `this fits in ${places.length} places: give more context`);
  return places[0] ?? 0;
}
