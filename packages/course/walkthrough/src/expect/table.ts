import { compileLine, type LinePattern } from "./pattern.ts";
import { bindSample, type Samples } from "./samples.ts";
import { columns } from "./shapes.ts";

/**
 * Reports whether a line is a header like kubectl's: words in capitals, at least two spaces apart, or NAME
 * alone.
 */
export function isTableHeader(line: string): boolean {
  const cells = splitCells(line);
  return (
    (cells.length > 1 || cells[0] === "NAME") &&
    cells.every((cell) => /^[A-Z][A-Z0-9()%/_-]*(?: [A-Z0-9()%/_-]+)*$/.test(cell))
  );
}

/**
 * Compiles a row, which matches by its cells: padding does not count. `header` gives meaning to columns such
 * as NODE.
 */
export function compileRow(
  row: string,
  header: string | undefined,
): (line: string, samples: Samples) => Samples | undefined {
  const names = header === undefined ? [] : splitCells(header);
  const cells = cellsOf(row, names.length);
  const patterns = cells.map((cell, i): LinePattern => columnPattern(names[i], cell) ?? compileLine(cell));
  const whole = compileLine(cells.join("  "));
  return (line, samples) => {
    const actual = cellsOf(line, names.length);
    if (actual.length !== patterns.length) return whole.match(actual.join("  "), samples);
    let bound: Samples | undefined = samples;
    for (const [i, pattern] of patterns.entries()) bound = bound && pattern.match(actual[i] ?? "", bound);
    return bound;
  };
}

function columnPattern(name: string | undefined, cell: string): LinePattern | undefined {
  const column = name === undefined ? undefined : columns[name];
  if (!column || !isOf(column.sample, cell)) return undefined;
  const { matches, binds } = column;
  const binding = binds !== undefined && isOf(binds, cell) ? binds : undefined;
  return {
    match(text, samples) {
      if (!isOf(matches, text)) return undefined;
      return binding !== undefined && isOf(binding, text) ? bindSample(samples, cell, text, false) : samples;
    },
  };
}

function isOf(shape: string, text: string): boolean {
  return new RegExp(`^(?:${shape})$`).test(text);
}

/**
 * Splits a row into cells, two spaces apart. `ps` right-aligns numbers one space apart, so the header's count
 * helps.
 */
function cellsOf(row: string, count: number): string[] {
  const cells = splitCells(row);
  if (count === 0 || cells.length >= count) return cells;
  const words = row.trim().split(/\s+/);
  if (words.length < count || !/^\d+ \S/.test(cells[0] ?? "")) return cells;
  return [...words.slice(0, count - 1), words.slice(count - 1).join(" ")];
}

function splitCells(line: string): string[] {
  return line.trim().split(/\s{2,}|\s*\t\s*/);
}

/**
 * Yields every way to give each expected row its own line. Lines may be left over. Lazy, as the first is
 * nearly always right.
 */
export function* matchRows(
  rows: readonly ((line: string, samples: Samples) => Samples | undefined)[],
  lines: readonly string[],
  samples: Samples,
  used: ReadonlySet<number> = new Set(),
  at = 0,
): Generator<Samples> {
  const row = rows[at];
  if (!row) {
    yield samples;
    return;
  }
  for (const [i, line] of lines.entries()) {
    if (used.has(i)) continue;
    const bound = row(line, samples);
    if (bound) yield* matchRows(rows, lines, bound, new Set([...used, i]), at + 1);
  }
}
