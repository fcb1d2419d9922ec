import type { Finding, Goal } from "../finding.ts";
import type { Colors } from "./colors.ts";
import { needWords, verdictOf } from "./table.ts";
import { printable, wrap } from "./wrap.ts";

/** What to do about each finding, those that stop the goal first. Commands are never broken: they are to be copied. */
export function mends(findings: readonly Finding[], goal: Goal, width: number, colors: Colors): string[] {
  const told = findings.filter(({ details, mend }) => details !== undefined || mend !== undefined);
  const stops = told.filter((finding) => verdictOf(finding, goal) === "missing");
  const rest = told.filter((finding) => !stops.includes(finding));
  // Of the others, too, those that the goal has to do with come first.
  const near = rest.filter(({ neededFor }) => neededFor.includes(goal));
  const others = [...near, ...rest.filter((finding) => !near.includes(finding))];
  const show = (title: string, some: readonly Finding[]): string[] =>
    some.length === 0
      ? []
      : ["", colors.underline(title), ...some.flatMap((finding) => mendOf(finding, width, colors))];
  return [...show(`Missing for ${goal}`, stops), ...show("Worth knowing, and for other things", others)];
}

function mendOf(finding: Finding, width: number, colors: Colors): string[] {
  const { subject, found, neededFor, details = [], mend, state } = finding;
  const needs = neededFor.length > 0 && state !== "ok" ? ` (for ${needWords(finding)})` : "";
  const title = wrap(printable(`${subject}: ${found}${needs}`), width).map((line) => colors.bold(line));
  const text = (sentence: string): string[] =>
    wrap(printable(sentence), width - 2).map((line) => `  ${line}`);
  // What is as it should be needs no mending; only what was passed over on the way is told.
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
