import type { Difference } from "../compare.ts";
import type { Outcome } from "../run.ts";

/** The number of printed differences of one script: the first ones usually cause the others. */
const limit = 8;

/** Returns the unexplained differences of a script for the terminal; an empty string if there are none. */
export function formatOutcome({ script, unexplained }: Outcome): string {
  if (unexplained.length === 0) return "";
  const lines = [`✗ ${script.area}: ${script.name}`];
  let request = "";
  for (const difference of unexplained.slice(0, limit)) {
    if (difference.request !== request) lines.push(`  ${difference.answer}. ${difference.request}`);
    request = difference.request;
    lines.push(...formatDifference(difference));
  }
  if (unexplained.length > limit) lines.push(`  and ${unexplained.length - limit} more`);
  return lines.join("\n");
}

function formatDifference({ path, ours, real }: Difference): string[] {
  return [`     ${path}`, `       - real ${show(real)}`, `       + ours ${show(ours)}`];
}

function show(value: unknown): string {
  if (value === undefined) return "(missing)";
  const text = JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}

/** Returns the number of requests by area, and how many of them differ. */
export function formatSummary(outcomes: readonly Outcome[], server: string, milliseconds: number): string {
  const lines = summarize(outcomes).map(
    ({ area, scripts, requests, unexplained, explained }) =>
      `  ${area.padEnd(18)} ${String(scripts).padStart(5)} ${String(requests).padStart(9)} ${String(unexplained).padStart(12)} ${String(explained).padStart(10)}`,
  );
  return [
    "",
    `  ${"area".padEnd(18)} scripts  requests  unexplained  explained`,
    ...lines,
    `compared with ${server} in ${(milliseconds / 1000).toFixed(1)} s`,
  ].join("\n");
}

/** Returns counts by area; the last row is their sum. `unexplained` and `explained` count the requests that differ. */
export function summarize(
  outcomes: readonly Outcome[],
): { area: string; scripts: number; requests: number; unexplained: number; explained: number }[] {
  const rows = [...Map.groupBy(outcomes, ({ script }) => script.area)].map(([area, all]) => ({
    area: area as string,
    scripts: all.length,
    requests: sum(all.map(({ compared }) => compared)),
    unexplained: sum(all.map((outcome) => new Set(outcome.unexplained.map(({ answer }) => answer)).size)),
    explained: sum(
      all.map((outcome) => new Set(outcome.explained.map(({ difference }) => difference.answer)).size),
    ),
  }));
  rows.sort((a, b) => (a.area < b.area ? -1 : 1));
  const total = (key: "scripts" | "requests" | "unexplained" | "explained"): number =>
    sum(rows.map((row) => row[key]));
  return [
    ...rows,
    {
      area: "all",
      scripts: total("scripts"),
      requests: total("requests"),
      unexplained: total("unexplained"),
      explained: total("explained"),
    },
  ];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
