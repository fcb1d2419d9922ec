import { type Finding, type Goal, purposes } from "../finding.ts";
import type { Colors } from "./colors.ts";
import { printable, wrap } from "./wrap.ts";

/** The verdicts as words, for readers who see no colours. */
const verdicts = {
  ok: "✓ ok",
  missing: "✗ missing",
  weak: "! weak",
  note: "· note",
  absent: "– absent",
} as const;

type Verdict = keyof typeof verdicts;

/**
 * Returns `missing` for a finding that prevents the goal, and `absent` for one that only prevents other
 * purposes.
 */
export function verdictOf({ state, neededFor }: Finding, goal: Goal): Verdict {
  return state === "missing" && !neededFor.includes(goal) ? "absent" : state;
}

/** Returns the lines of the table. No line is longer than `width`, which is at least 60. */
export function table(rows: readonly Finding[], goal: Goal, width: number, colors: Colors): string[] {
  const first = Math.max(...Object.values(verdicts).map(({ length }) => length));
  const second = Math.max(4, ...rows.map(({ subject }) => subject.length));
  const room = width - first - second - 6;
  // Needs are lists of short words, and wrap well.
  const needs = Math.min(30, Math.max(18, Math.floor(room * 0.35)));
  const found = room - needs;
  const lines = [row(["verdict".padEnd(first), "what".padEnd(second), "found".padEnd(found), "needed for"])];
  for (const finding of rows) {
    const verdict = verdictOf(finding, goal);
    const left = wrap(words(finding, found), found);
    const right = wrap(needWords(finding), needs);
    for (let index = 0; index < Math.max(left.length, right.length, 1); index++) {
      const mark = (index === 0 ? verdicts[verdict] : "").padEnd(first);
      const subject = (index === 0 ? finding.subject : "").padEnd(second);
      lines.push(
        row([paint(mark, verdict, colors), subject, (left[index] ?? "").padEnd(found), right[index] ?? ""]),
      );
    }
  }
  return lines;
}

/** Explains the words of the last column. */
export function legend(findings: readonly Finding[], width: number): string[] {
  const used = Object.entries(purposes).filter(([purpose]) =>
    findings.some(({ neededFor }) => neededFor.some((each) => each === purpose)),
  );
  return used.flatMap(([purpose, meaning]) => wrap(`${purpose}: ${meaning}`, width));
}

/** Returns the state, and the path if there is room. */
function words({ found, where }: Finding, room: number): string {
  const both = where ? `${found}  ${where}` : found;
  return printable(both.length <= room ? both : found);
}

/** Returns the purposes in few words. */
export function needWords({ neededFor }: Finding): string {
  const pages = ["embedded", "kind", "existing"] as const;
  if (!pages.every((page) => neededFor.includes(page))) return neededFor.join(", ");
  const others = neededFor.filter((purpose) => !pages.some((page) => page === purpose));
  return ["every page", ...others].join(", ");
}

function row(cells: readonly string[]): string {
  return cells.join("  ").trimEnd();
}

function paint(text: string, verdict: Verdict, colors: Colors): string {
  if (verdict === "ok") return colors.green(text);
  if (verdict === "missing") return colors.red(text);
  if (verdict === "weak") return colors.yellow(text);
  return colors.dim(text);
}
