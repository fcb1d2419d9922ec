import { closestMatch } from "leven";

/** An error in the author's files. */
export interface Problem {
  /** Relative to the working directory. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  readonly message: string;
  /** What the author can do, if there is a suggestion. */
  readonly suggestion?: string | undefined;
}

/** A place in a file: an offset into its text, in UTF-16 units. */
export interface Place {
  readonly file: { readonly path: string; readonly text: string };
  readonly offset: number;
}

/** Receives a problem. The caller goes on, so that one run shows all problems. */
export type Report = (place: Place, message: string, suggestion?: string) => void;

/** Returns a problem with the line and column of a place. */
export function problemAt({ file, offset }: Place, message: string, suggestion?: string): Problem {
  const before = file.text.slice(0, offset);
  const line = before.split("\n").length;
  return { file: file.path, line, column: offset - before.lastIndexOf("\n"), message, suggestion };
}

/** Returns `file:line:column: message: suggestion`. Terminals and editors turn this form into a link. */
export function formatProblem({ file, line, column, message, suggestion }: Problem): string {
  return `${file}:${line}:${column}: ${message}${suggestion === undefined ? "" : `: ${suggestion}`}`;
}

/** Sorts problems by file, line and column, and removes duplicates. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const sorted = problems.toSorted(
    (a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column,
  );
  return sorted.filter(
    (problem, index) => index === 0 || formatProblem(problem) !== formatProblem(sorted[index - 1] as Problem),
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An invalid option, or a file that cannot be read or written. The message is one line. */
export class OptionError extends Error {
  override name = "OptionError";
}

/**
 * Returns the candidate that most resembles a misspelt word, for a suggestion. Returns undefined if every
 * candidate differs in more than a third of the word's letters.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  return closestMatch(word, [...candidates], { maxDistance: Math.floor(word.length / 3) });
}
