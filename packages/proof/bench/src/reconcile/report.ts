import { plotBars } from "../shared/bars.ts";
import { table } from "../shared/markdown.ts";
import { type Memory, type OperatorFigures, writesNeeded, writesOf } from "./measurement.ts";
import { type Load, type SubjectName, subjectNames, subjects } from "./plan.ts";
import type { Figure, Results } from "./results.ts";

const grouped = (value: number, digits = 0): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const seconds = (value: number): string => grouped(value / 1_000, 2);
const megabytes = (value: number): string => grouped(value / 2 ** 20);

type Column = readonly [title: string, figure: Figure, show: (value: number) => string];

const columns: readonly Column[] = [
  ["settled after, s", ({ settle }) => settle, seconds],
  ["CPU, s", ({ cpu }) => cpu, seconds],
  ["peak RSS, MB", ({ peakRss }) => peakRss, megabytes],
  ["reconciles", ({ reconciles }) => reconciles, grouped],
  ["writes", (figures) => writesOf(figures).sent, grouped],
  ["in vain", (figures) => writesOf(figures).inVain, grouped],
  ["p99 queue wait, s", ({ queueWait }) => queueWait, seconds],
];

/** Returns the figures of one process in one line. */
export const figuresLine = (figures: OperatorFigures): string =>
  columns.map(([title, figure, show]) => `${title} ${show(figure(figures))}`).join("; ");

export const loadTitle = ({ objects, workers }: Load): string =>
  `${grouped(objects)} objects, ${workers === 1 ? "1 worker" : `${workers} workers`}`;

/** Returns medians as a Markdown table. */
export function figuresTable(results: Results): string[] {
  const rows = results.loads().flatMap((load) =>
    subjectNames.flatMap((subject) => {
      const cells = columns.map(([, figure, show]) => {
        const value = results.median(load, subject, figure);
        return value === undefined ? undefined : show(value);
      });
      if (cells.includes(undefined)) return [];
      return [[`${loadTitle(load)}: ${subjects[subject].title}`, ...(cells as string[])]];
    }),
  );
  return table(["", ...columns.map(([title]) => title)], rows);
}

interface Target {
  readonly title: string;
  readonly figure: Figure;
  readonly atMost: number;
  readonly aim: number;
}

const targets: readonly Target[] = [
  { title: "settled after ÷ Go", figure: ({ settle }) => settle, atMost: 1, aim: 1 },
  { title: "CPU ÷ Go", figure: ({ cpu }) => cpu, atMost: 1.5, aim: 1 },
  { title: "peak RSS ÷ Go", figure: ({ peakRss }) => peakRss, atMost: 2.5, aim: 2.5 },
];

export interface Verdicts {
  readonly lines: readonly string[];
  /** Loads that missed a target of time: a profile shows why. */
  readonly missed: readonly Load[];
}

/** Counts writes exactly, in the worst round. Ratios are medians of each round's own ratio. */
export function verdicts(results: Results): Verdicts {
  const missed = new Set<Load>();
  const rows = results.loads().flatMap((load) => {
    const own: string[][] = [];
    for (const subject of ["ours", "embedded"] as const) {
      const seen = results.most(load, subject, (figures) => writesOf(figures).sent);
      if (seen === undefined) continue;
      const needed = writesNeeded(load.objects);
      const verdict = seen === needed ? "met" : "MISSED";
      own.push([
        `${loadTitle(load)}: writes, ${subjects[subject].title}`,
        grouped(seen),
        grouped(needed),
        "",
        verdict,
      ]);
    }
    for (const { title, figure, atMost, aim } of targets) {
      const seen = results.ratio(load, "ours", "go", figure);
      if (seen === undefined) continue;
      const verdict = seen <= aim ? "met" : seen <= atMost ? "met, aim missed" : "MISSED";
      if (seen > atMost) missed.add(load);
      own.push([`${loadTitle(load)}: ${title}`, seen.toFixed(2), atMost.toFixed(2), aim.toFixed(2), verdict]);
    }
    return own;
  });
  return { lines: table(["Figure", "seen", "at most", "aim", ""], rows), missed: [...missed] };
}

/** Where our memory is. An idle Node has 46 MB already, most of it its program. */
export function memoryLines(results: Results): string[] {
  return results.loads().flatMap((load) => {
    const part = (name: keyof Memory) =>
      results.median(load, "ours", ({ memory }) => memory?.[name] ?? Number.NaN) ?? Number.NaN;
    const [program, heap, rest] = [part("program"), part("heap"), part("rest")];
    if (Number.isNaN(program + heap + rest)) return [];
    return [
      `Ours in the end, ${loadTitle(load)}: ${megabytes(program)} MB are Node's program, ${megabytes(heap)} V8's heap, ${megabytes(rest)} the rest.`,
    ];
  });
}

/** The short form, for a README. */
export function headlines(results: Results): string[] {
  const shown = ["settled after, s", "CPU, s", "writes", "peak RSS, MB"];
  const short = columns.filter(([title]) => shown.includes(title));
  const names = subjectNames.filter((subject) => results.rows.some(({ task }) => task.subject === subject));
  const rows = results.loads().flatMap((load) =>
    short.map(([title, figure, show]) => [
      `${loadTitle(load)}: ${title}`,
      ...names.map((subject) => {
        const value = results.median(load, subject, figure);
        return value === undefined ? "–" : show(value);
      }),
    ]),
  );
  return table(["Medians", ...names.map((name) => subjects[name].title)], rows);
}

/** Returns bars, one panel for each figure and load. */
export function plot(results: Results): string {
  const panel = (load: Load, title: string, figure: Figure, scale: number) => ({
    title: `${title}: ${loadTitle(load)}`,
    note: "less is better",
    bars: subjectNames.flatMap((name: SubjectName) => {
      const value = results.median(load, name, figure);
      const { title: bar, colour } = subjects[name];
      return value === undefined ? [] : [{ title: bar, colour, value: value / scale }];
    }),
  });
  const panels = results
    .loads()
    .flatMap((load) => [
      panel(load, "Settled after, s", ({ settle }) => settle, 1_000),
      panel(load, "CPU, s", ({ cpu }) => cpu, 1_000),
      panel(load, "Writes", (figures) => writesOf(figures).sent, 1),
      panel(load, "Peak RSS, MB", ({ peakRss }) => peakRss, 2 ** 20),
    ]);
  return plotBars(panels, subjectNames.length);
}
