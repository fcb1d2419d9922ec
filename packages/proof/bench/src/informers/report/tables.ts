import { table } from "../../shared/markdown.ts";
import type { Figures, Measure } from "../measurement.ts";
import type { Sizes } from "../plan.ts";
import { titles } from "../subjects/names.ts";
import type { Results } from "./results.ts";

type Column = readonly [title: string, figure: string, show: (value: number) => string];

const whole = (value: number): string => value.toFixed(0);
const grouped = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 0 });

const columns: Record<Measure, readonly Column[]> = {
  sync: [
    ["wall ms", "wall", whole],
    ["CPU ms", "cpu", whole],
    ["peak RSS MB", "peakRss", (value) => whole(value / 2 ** 20)],
    ["longest stall ms", "stall", (value) => (value === 0 ? "–" : whole(value))],
  ],
  events: [
    ["events/s", "perSecond", grouped],
    ["CPU µs/event", "cpu", (value) => value.toFixed(1)],
  ],
  kept: [["bytes an object", "bytes", grouped]],
  latency: [
    ["p50 µs", "p50", whole],
    ["p99 µs", "p99", whole],
  ],
};

/** Returns the figures of one process in one line. */
export function figuresLine<M extends Measure>(measure: M, figures: Figures[M]): string {
  const values = figures as unknown as Readonly<Record<string, number>>;
  return columns[measure]
    .map(([heading, figure, show]) => `${heading} ${show(values[figure] ?? Number.NaN)}`)
    .join(", ");
}

const resourceTitles = { pods: "Pods", caches: "custom resources" } as const;

/** Returns medians, as one Markdown table for each measure. */
export function tables(results: Results, sizes: Sizes): string[] {
  const sections = new Map<string, { title: string; measure: Measure; names: string[] }>();
  for (const name of results.names()) {
    const task = results.task(name);
    if (task === undefined) continue;
    const objects = `${grouped(task.objects)} ${resourceTitles[task.resource]}`;
    const title = {
      sync: `Initial sync of ${objects}`,
      events: `${grouped(sizes.events)} modifications over a cache of ${objects}`,
      kept: `Kept in memory, of ${objects}`,
      latency: `Latency of an event, one a millisecond, over ${objects}`,
    }[task.measure];
    const section = sections.get(title) ?? { title, measure: task.measure, names: [] };
    section.names.push(name);
    sections.set(title, section);
  }
  return [...sections.values()].flatMap(({ title, measure, names }) => [
    ...table(
      [title, ...columns[measure].map(([heading]) => heading)],
      names.map((name) => [
        titles[results.task(name)?.subject ?? ""] ?? name,
        ...columns[measure].map(([, figure, show]) => {
          const value = results.median(name, figure);
          return value === undefined ? "" : show(value);
        }),
      ]),
    ),
    "",
  ]);
}
