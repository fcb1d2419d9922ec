import { isEllipsis, type LineMatcher, lineMatcherOf, type MatchOptions } from "./match.ts";
import { reviseLine } from "./revise-line.ts";
import { isTableHeader } from "./table.ts";

/**
 * A line of the revised output: the index of an expected line that stays, or a new one, which may replace an
 * old one.
 */
export type RevisedLine = { readonly keep: number } | { readonly text: string; readonly instead?: number };

/** Expected output cannot be revised. The message says why. */
export class NotRevisableError extends Error {}

/** A change to a line. `keep` and `leave out` (by a `...`) change nothing. */
type Move = "keep" | "leave out" | "ellipsis" | "instead" | "add" | "remove";
/** The less two lines have in common, the more `instead` costs. */
const prices = { add: 1.5, instead: 2, unlikeInstead: 3, remove: 2.5 };

/**
 * Revises the expected output to match the printed output with as few changes as possible. Lines that match
 * stay, and so does `...`. Rows of a table stay in the page's order. Throws NotRevisableError in two cases: a
 * line with a wildcard would have to change, or a running command (`open`) has printed nothing like the last
 * line.
 */
export function reviseOutput(
  expected: readonly string[],
  seen: readonly string[],
  options: MatchOptions,
): RevisedLine[] {
  const matchers = expected.map((line) => (isEllipsis(line) ? undefined : lineMatcherOf(line)));
  const isSet = options.unordered || (!options.orderedRows && isTableHeader(expected[0] ?? ""));
  const lines = isSet ? inOrderOf(expected, seen, matchers, options) : seen;
  const moves = cheapestMoves(expected, lines, matchers, options);
  const result: RevisedLine[] = [];
  let [i, j] = [0, 0];
  for (const move of moves) {
    const [old = "", line = ""] = [expected[i], lines[j]];
    if (move === "keep" || move === "ellipsis") result.push({ keep: i });
    if (move === "add") result.push({ text: reviseLine(undefined, line, options.samples) });
    if (move === "instead") result.push({ text: reviseLine(old, line, options.samples), instead: i });
    if ((move === "instead" || move === "remove") && old.includes("[.."))
      throw new NotRevisableError(`a line with a wildcard stays as it is: ${old}`);
    if (move !== "add" && move !== "leave out") i++;
    if (move !== "remove" && move !== "ellipsis") j++;
  }
  const last = moves.filter((move) => !["ellipsis", "leave out", "add"].includes(move)).at(-1);
  if (options.open && last === "remove")
    throw new NotRevisableError("nothing was printed that could stand in the last line's place");
  return result;
}

/**
 * Sorts the rows of a table, or lines in any order, as the page has them. The others fill its gaps, and then
 * its `...`.
 */
function inOrderOf(
  expected: readonly string[],
  seen: readonly string[],
  matchers: readonly (LineMatcher | undefined)[],
  { samples }: MatchOptions,
): string[] {
  const left = [...seen];
  const found = matchers.map((match) => {
    const at = match ? left.findIndex((line) => match(line, samples)) : -1;
    return at === -1 ? undefined : left.splice(at, 1)[0];
  });
  const ordered = matchers.flatMap((match, i) => {
    if (!match) return [undefined];
    const likeness = left.map((line) => likenessOf(expected[i] ?? "", line));
    const line = found[i] ?? left.splice(likeness.indexOf(Math.max(...likeness)), 1)[0];
    return line === undefined ? [] : [line];
  });
  const elided = ordered.indexOf(undefined);
  return (elided === -1 ? [...ordered, ...left] : ordered.toSpliced(elided, 0, ...left)).filter(
    (line) => line !== undefined,
  );
}

function cheapestMoves(
  expected: readonly string[],
  seen: readonly string[],
  matchers: readonly (LineMatcher | undefined)[],
  { samples, open }: MatchOptions,
): Move[] {
  const [n, m] = [expected.length, seen.length];
  // Filled from the end: costs[i][j] is the price of turning the expected lines from i on into the lines from
  // j on.
  const costs = Array.from({ length: n + 1 }, () => new Float64Array(m + 1));
  const best: Move[][] = Array.from({ length: n + 1 }, () => []);
  const cost = (i: number, j: number): number => costs[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = n; i >= 0; i--) {
    for (let j = m; j >= 0; j--) {
      if (i === n && (j === m || open)) continue;
      const options: [Move, number][] = [];
      const match = matchers[i];
      if (i < n && j < m && match) {
        const [old = "", line = ""] = [expected[i], seen[j]];
        if (match(line, samples)) options.push(["keep", cost(i + 1, j + 1)]);
        const likeness = likenessOf(old, line);
        // In the output of a running command, a line without a common word is probably another line.
        const price = open && likeness === 0 ? prices.unlikeInstead : prices.instead - likeness;
        options.push(["instead", price + cost(i + 1, j + 1)]);
      }
      if (i < n && !match) {
        options.push(["ellipsis", cost(i + 1, j)]);
        if (j < m) options.push(["leave out", cost(i, j + 1)]);
      }
      if (i < n && match) options.push(["remove", prices.remove + cost(i + 1, j)]);
      if (j < m) options.push(["add", prices.add + cost(i, j + 1)]);
      const [move, least] = options.reduce((a, b) => (b[1] < a[1] ? b : a));
      const row = costs[i];
      if (row) row[j] = least;
      const moves = best[i];
      if (moves) moves[j] = move;
    }
  }
  const moves: Move[] = [];
  for (let [i, j] = [0, 0]; best[i]?.[j] !== undefined; ) {
    const move = best[i]?.[j] ?? "keep";
    moves.push(move);
    if (move !== "add" && move !== "leave out") i++;
    if (move !== "remove" && move !== "ellipsis") j++;
  }
  return moves;
}

/** Returns the share of words that two lines have in common, from 0 to 1. */
function likenessOf(left: string, right: string): number {
  const [ours, theirs] = [new Set(left.match(/\w+/g)), new Set(right.match(/\w+/g))];
  const most = Math.max(ours.size, theirs.size);
  return most === 0 ? 0 : [...ours].filter((word) => theirs.has(word)).length / most;
}
