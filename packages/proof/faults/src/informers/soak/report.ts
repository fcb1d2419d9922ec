import type { Sample } from "./messages.ts";
import type { Trend } from "./trend.ts";

export interface Checked {
  /** Milliseconds from the start. */
  readonly at: number;
  readonly deep: boolean;
  /** Milliseconds until caches and handlers equalled the list. */
  readonly settled: number;
  readonly objects: number;
}

export interface SoakResult {
  readonly command: string;
  readonly date: Date;
  readonly commit: string;
  readonly machine: string;
  readonly minutes: number;
  readonly samples: readonly (Sample & { readonly at: number })[];
  readonly checks: readonly Checked[];
  readonly writes: number;
  readonly deletions: number;
  readonly connections: number;
  readonly blackouts: number;
  /** Resident bytes at the end of the process with server, proxy and churn. */
  readonly world: number;
  readonly heap: Trend;
  readonly resident: Trend;
  /** Problems, one sentence each. Empty: passed. */
  readonly wrong: readonly string[];
}

/**
 * The largest hourly growth that counts as flat, as a share of the mean: of the heap, and of the resident
 * set. Runs shorter than `fromMinutes` are not judged, because spaces that fill once look like growth.
 */
export const bounds = { heap: 0.05, resident: 0.15, fromMinutes: 30 } as const;

export function soakReport(result: SoakResult): string {
  const { samples, checks, heap, resident } = result;
  const last = samples.at(-1);
  const slowest = Math.max(0, ...checks.map(({ settled }) => settled));
  const every = Math.max(1, Math.round(samples.length / 12));
  const rows = samples
    .filter((_, index) => index % every === 0 || index === samples.length - 1)
    .map((sample) =>
      row(
        (sample.at / 60_000).toFixed(0),
        mb(sample.heapUsed),
        mb(sample.external),
        mb(sample.rss),
        sample.events,
        sample.failures,
        sample.sockets,
        sample.timers,
      ),
    );
  return `${[
    "# Soak",
    "",
    `\`${result.command}\`, ${result.date.toISOString().slice(0, 16).replace("T", " ")} UTC, commit ${result.commit}, ${result.machine}.`,
    "",
    result.wrong.length === 0 ? "**Passed.**" : "**Failed:**",
    ...result.wrong.map((line) => `- ${line}`),
    "",
    `Two informers (\`parsed\` with a handler that reads objects, \`lazy\` with one that reads changes) over ${checks.at(-1)?.objects ?? 0} ConfigMaps for ${result.minutes.toFixed(0)} minutes, through a proxy that broke, silenced, delayed and split connections.`,
    "",
    row("What", "Figure"),
    row("-", "-"),
    row("writes, deletions among them", `${result.writes}, ${result.deletions}`),
    row("events that handlers received", last?.events ?? 0),
    row("connections, blackouts", `${result.connections}, ${result.blackouts}`),
    row("failures that informers recovered from", last?.failures ?? 0),
    row(
      "caches and handlers equal to a list",
      `${checks.length} times, ${checks.filter(({ deep }) => deep).length} of them in every field`,
    ),
    row("longest time until equal", `${(slowest / 1_000).toFixed(1)} s`),
    row("heap and external, trend of the later two thirds", trend(heap, bounds.heap)),
    row("resident, trend of the later two thirds", trend(resident, bounds.resident)),
    row("resident at the end, in the process of server, proxy and churn", `${mb(result.world)} MB`),
    "",
    "![Memory over time](soak.svg)",
    "",
    row("Minute", "heap MB", "external MB", "resident MB", "events", "failures", "sockets", "timers"),
    row("-", "-", "-", "-", "-", "-", "-", "-"),
    ...rows,
  ].join("\n")}\n`;
}

function trend({ perHour, mean, share }: Trend, bound: number): string {
  return `${mb(perHour)} MB an hour at ${mb(mean)} MB: ${(share * 100).toFixed(1)} % (at most ${bound * 100} %)`;
}

function row(...cells: readonly (string | number)[]): string {
  return `|${cells.join("|")}|`;
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
