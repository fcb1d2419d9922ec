import { missingFor } from "../examine.ts";
import type { Finding, Goal } from "../finding.ts";
import { colorsFor } from "./colors.ts";
import { mends } from "./mends.ts";
import { legend, table } from "./table.ts";

export interface ReportOptions {
  readonly goal: Goal;
  /** Characters of a line. Below 60 lines are as for 60. */
  readonly width: number;
  readonly color: boolean;
}

const next: Readonly<Record<Goal, string>> = {
  embedded: "npx --yes pnpm@12 start",
  kind: "npx --yes pnpm@12 verify --provider kind",
  existing: "npx --yes pnpm@12 verify --provider existing --context NAME",
};

/** The table, what mends, and the verdict: text for a person. */
export function report(findings: readonly Finding[], { goal, width, color }: ReportOptions): string {
  const columns = Math.max(60, width);
  const colors = colorsFor(color);
  const stops = missingFor(findings, goal);
  const names = stops.map(({ subject }) => subject).join(", ");
  const verdict =
    stops.length === 0
      ? colors.green(`✓ ${goal}: nothing is missing. Next: ${next[goal]}`)
      : colors.red(`✗ ${goal}: missing: ${names}`);
  const dim = (line: string): string => colors.dim(line);
  return [
    ...table(findings, goal, columns, colors),
    "",
    ...legend(findings, columns).map(dim),
    ...mends(findings, goal, columns, colors),
    "",
    verdict,
    "",
  ].join("\n");
}
