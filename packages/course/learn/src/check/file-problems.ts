import type { ExerciseBlock, ProjectHistory, ProjectState, TestResult } from "@operator-path/walkthrough";
import { formatResults } from "../exercise/results.ts";
import type { Vocabulary } from "../vocabulary.ts";
import type { CompilerError } from "./compiler-advice.ts";
import { exercisesUpTo } from "./exercises.ts";
import { importLinesCovered } from "./imports.ts";
import { projectPath } from "./place.ts";
import {
  containsLine,
  differenceOf,
  diffLines,
  type FirstDifference,
  isComment,
  type Problem,
  trimmedLines,
  withUnixLineEnds,
} from "./problem.ts";
import type { FileDifference } from "./standing.ts";

/** Says in a message what the lines of `diffLines` are. */
export const legend = "(- yours, + the page's)";

interface Speaker {
  readonly words: Vocabulary;
}

export function laterEdit(
  { file, since }: FileDifference,
  { states }: ProjectHistory,
  { words }: Speaker,
): string {
  const state = states[since];
  const where = state ? ` ${words.at({ page: state.page, line: state.block.line })}` : "";
  return `${file} is your own solution, and its tests pass. It lacks the page's last edit${where}: make that edit, unless you did it your own way.`;
}

/**
 * Returns a note on the first line from above an exercise that the learner's solution lacks. The tests may not notice
 * it. A line of the solution of an earlier exercise does not count, and neither does an import whose names the
 * learner imports in another form. Undefined: it lacks no line.
 */
export function leftOut(
  { file, expected, actual = "" }: FileDifference,
  exercise: ProjectState,
  { states }: ProjectHistory,
  { words }: Speaker,
): string | undefined {
  const own = new Set(trimmedLines(actual));
  const above = states.slice(0, states.indexOf(exercise));
  const has = ({ files }: ProjectState, line: string): boolean =>
    trimmedLines(files.get(file)?.text ?? "").includes(line);
  // An edit may have removed it since it first came.
  const bringerOf = (line: string): ProjectState | undefined =>
    above[above.findLastIndex((state) => !has(state, line)) + 1];
  const lines = trimmedLines(expected.text);
  const covered = importLinesCovered(file, expected.text, actual);
  const at = lines.findIndex((line, index) => {
    if (isComment(line) || !/\w/.test(line) || own.has(line) || covered.has(index)) return false;
    const bringer = bringerOf(line);
    return bringer !== undefined && bringer.block.kind !== "exercise";
  });
  const origin = expected.origins[at];
  if (!origin) return undefined;
  const text = lines[at];
  return `${file} lacks a line that the page has above the exercise, ${words.at(origin)}: \`${text}\`. Add it, unless you did it your own way.`;
}

export function missing(
  { file, expected, since }: FileDifference,
  history: ProjectHistory,
  { words }: Speaker,
): Problem {
  const state = history.states[since];
  const block = state?.block;
  // The page shows no text of an exercise's test, or of a file that a command makes.
  if (state && block?.kind === "exercise" && projectPath(block.file) !== file)
    return {
      where: file,
      what: "you do not have this test of an exercise",
      todo: `${words.exercise(`${exercisesUpTo(history, since).length}`, "begin")} copies it into your folder.`,
    };
  const write = block?.kind === "console" ? "Run the command that makes it" : "Write it";
  return {
    where: file,
    what: "you do not have this file",
    origin: expected.origins.find((origin) => origin !== undefined),
    todo: `${write}, or let ${words.catchUp()} write it.`,
  };
}

export function behind(difference: FileDifference, { words }: Speaker): Problem {
  const there = difference.problem === "partial" ? "only partly there" : "not there yet";
  return {
    ...mismatchOf(difference, `an edit of the page is ${there} ${legend}`),
    todo: `Make the edit, or let ${words.catchUp()} make it.${windowsLineEnds(difference)}`,
  };
}

export function mismatch(difference: FileDifference, { words }: Speaker): Problem {
  const found = mismatchOf(difference, `it differs from the page ${legend}`);
  return {
    ...found,
    todo: `Correct ${found.where}; ${words.diff(difference.file)} shows the whole file beside the page's.${windowsLineEnds(difference)}`,
  };
}

function windowsLineEnds({ file, actual = "" }: Pick<FileDifference, "file" | "actual">): string {
  if (!actual.includes("\r\n")) return "";
  return ` ${file} has Windows line ends (CRLF). Remove them: ${withUnixLineEnds(file)}`;
}

function mismatchOf(difference: FileDifference, what: string): Omit<Problem, "todo"> {
  const { file, expected, actual = "" } = difference;
  const spaces = firstLineWithoutTab(difference);
  const first = differenceOf(expected, actual, spaces);
  if (spaces !== undefined)
    return {
      where: `${file}:${spaces}`,
      what: `line ${spaces} begins with spaces, but make needs a tab`,
      origin: first?.origin,
    };
  if (!first) return { where: file, what };
  const inCase = isOtherCase(first) ? `${what}. Only upper and lower case differ` : what;
  return { where: `${file}:${first.line}`, what: inCase, origin: first.origin, shown: diffLines(first) };
}

/** Returns the line of a learner's Makefile that has spaces where the page has a tab: both look the same. */
export function firstLineWithoutTab({ file, expected, actual = "" }: FileDifference): number | undefined {
  if (!/(?:^|\/)(?:Makefile|[^/]+\.mk)$/.test(file)) return undefined;
  const recipes = new Set(expected.text.split("\n").filter((line) => line.startsWith("\t")));
  const at = actual.split("\n").findIndex((line) => line.startsWith(" ") && recipes.has(`\t${line.trim()}`));
  return at === -1 ? undefined : at + 1;
}

function isOtherCase({ wanted, found }: FirstDifference): boolean {
  return wanted.length > 0 && wanted.join("\n").toLowerCase() === found.join("\n").toLowerCase();
}

export function typeProblem(
  { file, line, column, message }: CompilerError,
  files: ReadonlyMap<string, string>,
  difference: FileDifference | undefined,
  { words }: Speaker,
): Problem {
  const near = difference && differenceOf(difference.expected, difference.actual ?? "", line);
  const compare = near ? `${words.diff(file)} shows the file beside the page's.` : "";
  const lineEnds = windowsLineEnds({ file, actual: files.get(file) });
  // The line of the error is the page's own. It may be right, and wait for a line that the learner has left out.
  if (near && !containsLine(near, line))
    return {
      where: `${file}:${near.line}`,
      what: `it differs from the page ${legend}, and does not compile: line ${line}: ${message}`,
      origin: near.origin,
      shown: diffLines(near),
      todo: `Correct line ${near.line}. ${compare}${lineEnds}`,
    };
  return {
    where: `${file}:${line}:${column}`,
    what: near ? `${message} ${legend}` : message,
    ...(near && { origin: near.origin, shown: diffLines(near) }),
    // Where the compiler notices a missing `}` or `*/`, all may be right.
    todo: `Correct line ${line}${/\bTS1\d{3}:/.test(message) ? ", or one above it" : ""}. ${compare}`
      .trim()
      .concat(lineEnds),
  };
}

export function unsolved(
  block: ExerciseBlock,
  failed: readonly TestResult[],
  text: string,
  others: readonly string[],
  { words }: Speaker,
): Problem {
  const also =
    others.length > 0
      ? ` If it is right, the mistake may be in ${others.join(", ")}, which ${others.length > 1 ? "differ" : "differs"} from the page's.`
      : "";
  const own = { file: projectPath(block.file), text, starter: block.content };
  const results = failed.map((result) => ({ ...result, file: projectPath(result.file) }));
  return {
    where: projectPath(block.file),
    what: "the exercise is not solved yet",
    shown: formatResults(results, own).split("\n"),
    todo: failed.some(({ message }) => message.includes("Cannot find package"))
      ? "A package is missing: run `pnpm install`, and check again."
      : `Change the file until its tests pass.${also} ${words.exercises}`,
  };
}

/**
 * Returns a note on a generated file.
 *
 * @param extra sources that the page does not have
 */
export function differsAsSources(file: string, extra: readonly string[]): string {
  const more = extra.length > 0 ? ` The page does not have ${extra.join(", ")}.` : "";
  return `${file} differs from the page's: it is generated from your sources, which differ, too.${more}`;
}

export function uncovered(difference: FileDifference, { words }: Speaker): string {
  const { where, shown } = unprovenPlace(difference);
  const lines = shown.map((line) => `\n    ${line}`).join("");
  return `${where} differs from the page's ${legend}. It compiles, and no test covers it: is that what you want? ${words.diff(difference.file)} shows all of it.${lines}`;
}

function unprovenPlace({ file, expected, actual = "" }: FileDifference): { where: string; shown: string[] } {
  const first = differenceOf(expected, actual);
  return { where: `${file}:${first?.line ?? 1}`, shown: first ? diffLines(first) : [] };
}

/** Adds to a problem of the cluster what the files may have to do with it. */
export function withFiles(problem: Problem, unproven: readonly FileDifference[]): Problem {
  if (unproven.length === 0) return { ...problem, todo: `Your files are right. ${problem.todo}` };
  const shown = unproven
    .map(unprovenPlace)
    .flatMap(({ where, shown }) => [
      `${where} differs from the page's, and no test covers it ${legend}:`,
      ...shown,
    ]);
  return { ...problem, shown, todo: `If that is a mistake, correct it. If not: ${problem.todo}` };
}
