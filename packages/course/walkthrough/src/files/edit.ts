import type { LineComparison } from "./line-comparison.ts";

/** An edit that does not apply. `line` is the index of the diff's line that the file lacks. */
export class EditError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.name = "EditError";
    this.line = line;
  }
}

/** A hunk of a diff, and its place in the file. */
export interface PlacedHunk {
  /** Its lines: `+`, `-` or a space, and the text. */
  readonly lines: readonly string[];
  /** Index of the first line of the file that it names: context or a removed line. */
  readonly at: number;
}

interface Hunk {
  readonly lines: string[];
  /** The lines that the file must have: context and removed lines. */
  readonly before: { readonly text: string; readonly at: number }[];
  /** Its `@@ … @@` line, if that has numbers. */
  readonly header?: { readonly text: string; readonly at: number };
}

export interface EditOptions {
  /** The numbers of a `@@ -1,2 +1,3 @@` line must be the file's. Default: they are ignored. */
  readonly checkNumbers?: boolean | undefined;
  /** Compares lines where no line is equal. Lines that it considers the same stay as they are. Default: none. */
  readonly isSameLine?: LineComparison;
  /**
   * If a hunk fits nowhere, apply it where most of its lines match, or omit it if none match. This shows what
   * differs. Default: throw EditError.
   */
  readonly closest?: boolean;
}

/**
 * Applies a `diff` fence. Lines that begin with `-` are removed, those with `+` are added, the rest is
 * context. `@@` lines or a line of `…` separate hunks. `---` and `+++` headers are ignored. Each hunk must
 * fit in exactly one place after the hunk before. Throws EditError.
 */
export function applyEdit(file: string, diff: string, options: EditOptions = {}): string {
  const { checkNumbers = false, isSameLine = isEqual } = options;
  const lines = file.split("\n");
  const result: string[] = [];
  let from = 0;
  for (const { hunk, at } of placeAll(file, diff, options)) {
    result.push(...lines.slice(from, at));
    const right = rangesOf(hunk.lines, at, result.length);
    if (checkNumbers && hunk.header && !hunk.header.text.startsWith(right))
      throw new EditError(
        hunk.header.at,
        `the numbers of this hunk must be "${right}": \`pnpm learn update-pages\` writes them`,
      );
    from = at;
    for (const line of hunk.lines) {
      const text = line.slice(1);
      const own = line[0] === "+" ? undefined : lines[from++];
      if (line[0] !== "-") result.push(own !== undefined && isSameLine(own, text) ? own : text);
    }
  }
  result.push(...lines.slice(from));
  return result.join("\n");
}

function isEqual(a: string, b: string): boolean {
  return a === b;
}

/** Reports whether a file has the changes of a diff already: they can be taken back, and cannot be made. */
export function hasEdit(
  file: string,
  diff: string,
  { isSameLine }: Pick<EditOptions, "isSameLine"> = {},
): boolean {
  if (isSameLine && hasEdit(file, diff)) return true;
  const options = { ...(isSameLine && { isSameLine }) };
  const swapped = { "+": "-", "-": "+" } as Readonly<Record<string, string>>;
  const back = (line: string): string => (swapped[line[0] ?? ""] ?? " ") + line.slice(1);
  const reverse = parseHunks(diff).map(({ lines }) => lines.map(back).join("\n"));
  return !fits(file, diff, options) && fits(file, reverse.join("\n@@\n"), options);
}

function fits(file: string, diff: string, options: EditOptions): boolean {
  try {
    return placeAll(file, diff, options).length > 0;
  } catch (error) {
    if (error instanceof EditError) return false;
    throw error;
  }
}

/** Returns the hunks of a diff with their places in the file. Throws EditError, as `applyEdit` does. */
export function placeHunks(file: string, diff: string): PlacedHunk[] {
  return placeAll(file, diff, {}).map(({ hunk, at }) => ({ lines: hunk.lines, at }));
}

/**
 * Returns the `@@ -1,2 +1,3 @@` line of a hunk.
 *
 * @param before lines of the old file above the hunk
 * @param after lines of the new file above it
 */
export function rangesOf(lines: readonly string[], before: number, after: number): string {
  const range = (above: number, added: string): string => {
    const count = lines.filter((line) => line[0] !== added).length;
    return `${count === 0 ? above : above + 1},${count}`;
  };
  return `@@ -${range(before, "+")} +${range(after, "-")} @@`;
}

function placeAll(
  file: string,
  diff: string,
  { isSameLine, closest = false }: EditOptions,
): { readonly hunk: Hunk; readonly at: number }[] {
  const lines = file.split("\n");
  let from = 0;
  return parseHunks(diff).flatMap((hunk) => {
    const at = closest
      ? closestPlaceOf(hunk, lines, from, isSameLine)
      : placeOf(hunk, lines, from, isSameLine);
    if (at === undefined) return [];
    from = at + hunk.before.length;
    return { hunk, at };
  });
}

function parseHunks(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  let header: Hunk["header"];
  diff
    .replace(/\n$/, "")
    .split("\n")
    .forEach((line, at) => {
      if (/^(?:---|\+\+\+) [^ ]/.test(line) && at < 2) return;
      if (line.startsWith("@@") || /^[ ]?\s*(?:\/\/|#)?\s*…\s*$/.test(line)) {
        hunk = undefined;
        header = /^@@ -\d/.test(line) ? { text: line, at } : undefined;
        return;
      }
      if (!hunk) {
        hunk = { lines: [], before: [], ...(header && { header }) };
        hunks.push(hunk);
      }
      const sign = line[0] ?? " ";
      if (sign !== "+" && sign !== "-" && sign !== " ") {
        throw new EditError(at, 'a line of a diff begins with "+", "-" or a space');
      }
      const text = line.slice(1);
      hunk.lines.push(sign + text);
      if (sign !== "+") hunk.before.push({ text, at });
    });
  if (hunks.length === 0) throw new EditError(0, "an empty diff");
  return hunks;
}

/** Returns the place with most of a hunk's lines. Undefined: the file has none of them. */
function closestPlaceOf(
  { before }: Hunk,
  lines: readonly string[],
  from: number,
  isSameLine: LineComparison = isEqual,
): number | undefined {
  let best: { readonly at?: number; readonly count: number } = { count: 0 };
  for (let at = from; at + before.length <= lines.length; at++) {
    const isThere = ({ text }: { text: string }, i: number) =>
      /\w/.test(text) && isSameLine(lines[at + i] ?? "", text);
    const count = before.filter(isThere).length;
    if (count > best.count) best = { at, count };
  }
  return best.at;
}

function placeOf(
  hunk: Hunk,
  lines: readonly string[],
  from: number,
  isSameLine: LineComparison = isEqual,
): number {
  const exact = placesOf(hunk, lines, from, isEqual);
  const { places, best } = exact.places.length > 0 ? exact : placesOf(hunk, lines, from, isSameLine);
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

/** Returns where a hunk fits, and the largest number of its first lines that match at any other place. */
function placesOf({ before }: Hunk, lines: readonly string[], from: number, isSameLine: LineComparison) {
  const places: number[] = [];
  let best = 0;
  for (let at = from; at + before.length <= lines.length; at++) {
    const same = before.findIndex((line, i) => !isSameLine(lines[at + i] ?? "", line.text));
    if (same === -1) places.push(at);
    else best = Math.max(best, same);
  }
  return { places, best };
}
