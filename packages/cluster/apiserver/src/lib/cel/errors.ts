import type { CelType } from "./types.ts";

/** An error of the parser or the checker, at an offset in UTF-16 units. */
export interface Issue {
  readonly position: number;
  readonly message: string;
}

/** The expression is invalid. The message lists all errors in the layout of cel-go. */
export class CelCompileError extends Error {
  override readonly name: string = "CelCompileError";
  readonly issues: readonly Issue[];

  constructor(expression: string, issues: readonly Issue[]) {
    super(issues.length === 0 ? expression : showIssues(expression, issues));
    this.issues = issues;
  }
}

/** The expression has valid types, but can never have a value: `int('a')`. */
export class CelProgramError extends CelCompileError {
  constructor(message: string) {
    super(message, []);
  }
}

/** The expression compiles, but its result does not have the required type. */
export class CelResultTypeError extends Error {
  override readonly name = "CelResultTypeError";
  readonly expected: string;
  readonly actual: CelType;

  constructor(expected: string, actual: CelType) {
    super(`must evaluate to ${expected}`);
    this.expected = expected;
    this.actual = actual;
  }
}

/** The expression has no value for these variables: `no such key: replicas`. */
export class CelEvaluationError extends Error {
  override readonly name: string = "CelEvaluationError";
}

/** The expression costs too much. Logical operators do not absorb this error. */
export class CelCostError extends CelEvaluationError {
  override readonly name = "CelCostError";

  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/** The most errors that a message lists (cel-go's default). */
const maximum = 100;

function showIssues(expression: string, issues: readonly Issue[]): string {
  const placed = issues.map(({ position, message }) => ({ ...place(expression, position), message }));
  placed.sort((a, b) => a.line - b.line || a.column - b.column);
  const shown = placed.slice(0, maximum).map(({ line, column, message, source }) => {
    // An empty expression has no character to point at.
    if (expression === "") return `ERROR: <input>:1:0: ${message}`;
    const head = `ERROR: <input>:${line}:${column + 1}: ${message}`;
    const text = source.replaceAll("\t", " ");
    const dots = [...text]
      .slice(0, column)
      .map((character) => (character.length > 1 || character > "\u2e7f" ? "．" : "."));
    return `${head}\n | ${text}\n | ${dots.join("")}^`;
  });
  if (placed.length > maximum) shown.push(`${placed.length - maximum} more errors were truncated`);
  return shown.join("\n");
}

function place(expression: string, position: number): { line: number; column: number; source: string } {
  const before = expression.slice(0, position);
  const start = before.lastIndexOf("\n") + 1;
  const end = expression.indexOf("\n", start);
  return {
    line: before.split("\n").length,
    column: [...before.slice(start)].length,
    source: expression.slice(start, end === -1 ? undefined : end),
  };
}
