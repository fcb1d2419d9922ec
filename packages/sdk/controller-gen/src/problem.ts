/** Something in the author's files, or options, that stands in the way. */
export interface Problem {
  /** As the author would open it: relative to the working directory. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly message: string;
  /** The way out, where there is one to name. */
  readonly suggestion?: string | undefined;
}

/** A place in a file: an offset into its text, in UTF-16 units. */
export interface Place {
  readonly file: { readonly path: string; readonly text: string };
  readonly offset: number;
}

/** Where problems are put; work goes on, so that an author sees all of them in one run. */
export type Report = (place: Place, message: string, suggestion?: string) => void;

export function problemAt({ file, offset }: Place, message: string, suggestion?: string): Problem {
  const before = file.text.slice(0, offset);
  const line = before.split("\n").length;
  return { file: file.path, line, column: offset - before.lastIndexOf("\n"), message, suggestion };
}

/** `file:line:column: what: the way out`, which terminals and editors make a link of. */
export function formatProblem({ file, line, column, message, suggestion }: Problem): string {
  return `${file}:${line}:${column}: ${message}${suggestion === undefined ? "" : `: ${suggestion}`}`;
}

/** By file, line and column; the same problem, found on two ways, once. */
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
