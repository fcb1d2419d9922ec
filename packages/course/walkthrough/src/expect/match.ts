import { compileLine } from "./pattern.ts";
import { matchRecord } from "./record.ts";
import type { Samples } from "./samples.ts";
import { compileRow, isTableHeader, matchRows } from "./table.ts";

export interface MatchOptions {
  readonly samples: Samples;
  /** Lines may come in any order. */
  readonly unordered?: boolean;
  /** Table rows must keep their order: for a watch, which prints changes as they happen. */
  readonly orderedRows?: boolean;
  /** More output may follow the expected lines: for a process that goes on. */
  readonly open?: boolean;
}

/** Undefined: no match. `consumed` counts the lines of output that the expected lines matched. */
export type MatchResult = { readonly samples: Samples; readonly consumed: number } | undefined;

export type LineMatcher = (line: string, samples: Samples) => Samples | undefined;
type Item =
  | { readonly kind: "ellipsis" }
  | { readonly kind: "line"; readonly match: LineMatcher }
  | { readonly kind: "rows"; readonly rows: readonly LineMatcher[]; readonly more: boolean };

/** Matches output against the lines that the page shows. Binds samples only if all of it matches. */
export function matchOutput(
  expected: readonly string[],
  actual: readonly string[],
  options: MatchOptions,
): MatchResult {
  const items = options.unordered
    ? [unorderedItem(expected)]
    : toItems(expected, options.orderedRows ?? false);
  const failed = new WeakMap<Samples, Set<number>>();

  const attempt = (i: number, at: number, samples: Samples): MatchResult => {
    const item = items[i];
    if (!item) return at === actual.length || options.open ? { samples, consumed: at } : undefined;
    const key = i * (actual.length + 1) + at;
    const seen = failed.get(samples) ?? new Set();
    failed.set(samples, seen);
    if (seen.has(key)) return undefined;
    const result = attemptItem(item, i, at, samples);
    if (!result) seen.add(key);
    return result;
  };

  const attemptItem = (item: Item, i: number, at: number, samples: Samples): MatchResult => {
    if (item.kind === "ellipsis") {
      for (let next = at; next <= actual.length; next++) {
        const result = attempt(i + 1, next, samples);
        if (result) return result;
      }
      return undefined;
    }
    if (item.kind === "line") {
      const line = actual[at];
      const bound = line === undefined ? undefined : item.match(line, samples);
      return bound && attempt(i + 1, at + 1, bound);
    }
    let most = item.rows.length;
    if (item.more) while (at + most < actual.length && actual[at + most]?.trim() !== "") most++;
    for (let count = most; count >= item.rows.length; count--) {
      if (at + count > actual.length) continue;
      for (const bound of matchRows(item.rows, actual.slice(at, at + count), samples)) {
        const result = attempt(i + 1, at + count, bound);
        if (result) return result;
      }
    }
    return undefined;
  };

  return attempt(0, 0, options.samples);
}

/** Reports whether one line matches another, for a diff. Binds no samples. */
export function matchLine(expected: string, actual: string, samples: Samples): boolean {
  return !isEllipsis(expected) && lineMatcherOf(expected)(actual, samples) !== undefined;
}

/** Returns a matcher for one expected line other than `...`. It also matches the line as a row of a table. */
export function lineMatcherOf(expected: string): LineMatcher {
  const [line, row] = [lineMatcher(expected), compileRow(expected, undefined)];
  return (actual, samples) => line(actual, samples) ?? row(actual, samples);
}

export function isEllipsis(line: string): boolean {
  return line.trim() === "...";
}

function lineMatcher(text: string): LineMatcher {
  const pattern = compileLine(text.trimEnd() === "\\..." ? "..." : text.trimEnd());
  return (line, samples) => pattern.match(line, samples) ?? matchRecord(text, line, samples);
}

function unorderedItem(expected: readonly string[]): Item {
  const lines = expected.filter((line) => !isEllipsis(line));
  return { kind: "rows", rows: lines.map(lineMatcher), more: lines.length < expected.length };
}

function toItems(expected: readonly string[], orderedRows: boolean): Item[] {
  const items: Item[] = [];
  for (let i = 0; i < expected.length; i++) {
    const line = expected[i] ?? "";
    if (isEllipsis(line)) {
      items.push({ kind: "ellipsis" });
    } else if (isTableHeader(line)) {
      items.push({ kind: "line", match: compileRow(line, undefined) });
      const rows: string[] = [];
      while (i + 1 < expected.length && expected[i + 1]?.trim() !== "") rows.push(expected[++i] ?? "");
      if (orderedRows) {
        for (const row of rows)
          items.push(isEllipsis(row) ? { kind: "ellipsis" } : { kind: "line", match: compileRow(row, line) });
      } else {
        const real = rows.filter((row) => !isEllipsis(row));
        items.push({
          kind: "rows",
          rows: real.map((row) => compileRow(row, line)),
          more: real.length < rows.length,
        });
      }
    } else {
      items.push({ kind: "line", match: lineMatcher(line) });
    }
  }
  return items;
}
