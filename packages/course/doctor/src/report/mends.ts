import type { Finding, Goal } from "../finding.ts";
import type { Colors } from "./colors.ts";
import { needWords, verdictOf } from "./table.ts";
import { printable, wrap } from "./wrap.ts";

/**
 * Returns how to fix each finding. Those that prevent the goal come first. Commands are never wrapped, so
 * that they can be copied.
 */
export function mends(findings: readonly Finding[], goal: Goal, width: number, colors: Colors): string[] {
  const shown = findings.filter(({ details, mend }) => details !== undefined || mend !== undefined);
  const stops = shown.filter((finding) => verdictOf(finding, goal) === "missing");
  const rest = shown.filter((finding) => !stops.includes(finding));
  // Then come those that concern the goal.
  const near = rest.filter(({ neededFor }) => neededFor.includes(goal));
  const others = [...near, ...rest.filter((finding) => !near.includes(finding))];
  const show = (title: string, some: readonly Finding[]): string[] =>
    some.length === 0
      ? []
      : ["", colors.underline(title), ...some.flatMap((finding) => mendOf(finding, width, colors))];
  return [
    ...show(`Missing for ${goal}`, stops),
    ...show("Worth knowing, and needed for other purposes", others),
  ];
}

function mendOf(finding: Finding, width: number, colors: Colors): string[] {
  const { subject, found, neededFor, details = [], mend, state } = finding;
  const needs = neededFor.length > 0 && state !== "ok" ? ` (for ${needWords(finding)})` : "";
  const title = wrap(printable(`${subject}: ${found}${needs}`), width).map((line) => colors.bold(line));
  const text = (sentence: string): string[] =>
    wrap(printable(sentence), width - 2).map((line) => `  ${line}`);
  // A finding that is ok needs no fix, but may list skipped programs.
  if (!mend || state === "ok") return ["", ...title, ...details.flatMap(text)];
  const commands = mend.commands.map((line) => `    ${colors.cyan(printable(line))}`);
  return [
    "",
    ...title,
    ...details.flatMap(text),
    ...(mend.shell && commands.length > 0 ? text(`In ${mend.shell}:`) : []),
    ...commands,
    ...(mend.words ?? []).flatMap(text),
    ...(mend.manual ? text(mend.manual) : []),
  ];
}
