import stripAnsi from "strip-ansi";
import type { KindProblem } from "./kind-error.ts";
import { type FailureContext, knownFailures } from "./known-failures.ts";

export interface Explanation {
  readonly problem: KindProblem;
  readonly cause: string;
  readonly fix: string;
  /** The line that told it. */
  readonly evidence?: string;
}

/**
 * What the words of a command that failed mean, and what a person does about it. Words that nobody knows become the cause
 * themselves: kind's `ERROR:` line, or the last one. `believed` limits it to some problems.
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
    fix: "The command's own words above are all that is known.",
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
  return error?.slice("ERROR: ".length) ?? lines.at(-1) ?? "it said nothing";
}
