import stripAnsi from "strip-ansi";
import type { KindProblem } from "./kind-error.ts";
import { type FailureContext, knownFailures } from "./known-failures.ts";

export interface Explanation {
  readonly problem: KindProblem;
  readonly cause: string;
  readonly fix: string;
  /** The line with the cause. */
  readonly evidence?: string;
}

/**
 * Explains the output of a failed command, and what to do. In unknown output, kind's `ERROR:` line, or the
 * last line, becomes the cause. `believed` limits the explanation to some problems.
 */
export function explain(
  output: string,
  context: Partial<FailureContext> = {},
  believed?: readonly KindProblem[],
): Explanation {
  const text = stripAnsi(output);
  const whole: FailureContext = {
    engine: "docker",
    env: process.env,
    platform: process.platform,
    cluster: "kind",
    ...context,
  };
  for (const { problem, pattern, cause, fix } of knownFailures) {
    if (believed && !believed.includes(problem)) continue;
    const match = pattern.exec(text);
    if (match)
      return {
        problem,
        cause: cause(match, whole),
        fix: fix(whole, match),
        evidence: lineAt(text, match.index),
      };
  }
  return {
    problem: "unknown",
    cause: lastWords(text),
    fix: "The command's output above is all that is known.",
  };
}

function lineAt(text: string, index: number): string {
  const end = text.indexOf("\n", index);
  return text.slice(text.lastIndexOf("\n", index - 1) + 1, end === -1 ? undefined : end).trim();
}

function lastWords(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const error = lines.find((line) => line.startsWith("ERROR: "));
  return error?.slice("ERROR: ".length) ?? lines.at(-1) ?? "the command printed nothing";
}
