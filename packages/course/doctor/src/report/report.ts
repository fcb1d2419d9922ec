import { missingFor } from "../examine.ts";
import type { Finding, Goal } from "../finding.ts";
import { colorsFor } from "./colors.ts";
import { mends } from "./mends.ts";
import { legend, table } from "./table.ts";
import { wrap } from "./wrap.ts";

export interface ReportOptions {
  readonly goal: Goal;
  /** Characters per line, at least 60. */
  readonly width: number;
  readonly color: boolean;
}

/** The number of contexts that are shown. The others are only counted. */
const shownContexts = 6;

const next: Readonly<Record<Goal, string>> = {
  embedded: "npx --yes pnpm@12 start",
  kind: "npx --yes pnpm@12 verify --provider kind",
  existing: "npx --yes pnpm@12 verify --provider existing --context NAME",
};

/** Formats the table, the fixes and the verdict. */
export function report(all: readonly Finding[], { goal, width, color }: ReportOptions): string {
  const hidden = all.filter(({ subject }) => subject === "context").slice(shownContexts);
  const findings = all.filter((finding) => !hidden.includes(finding));
  const columns = Math.max(60, width);
  const colors = colorsFor(color);
  const stops = missingFor(all, goal);
  const names = stops.map(({ subject }) => subject).join(", ");
  const verdict =
    stops.length === 0
      ? `✓ ${goal}: nothing is missing. Next: ${next[goal]}`
      : `✗ ${goal}: missing: ${names}`;
  const paint = stops.length === 0 ? colors.green : colors.red;
  const dim = (line: string): string => colors.dim(line);
  return [
    ...table(findings, goal, columns, colors),
    ...(hidden.length > 0 ? [`  and ${hidden.length} more contexts: --json lists them`] : []),
    "",
    ...legend(findings, columns).map(dim),
    ...mends(findings, goal, columns, colors),
    "",
    ...wrap(verdict, columns).map((line) => paint(line)),
    "",
  ].join("\n");
}
