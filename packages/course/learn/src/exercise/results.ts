import type { TestResult } from "@operator-path/walkthrough";

/** Formats a line for each test, and below it why it does not pass. */
export function formatResults(results: readonly TestResult[]): string {
  return results
    .flatMap(({ name, file, status, message }) => {
      const mark = { passed: "✓", failed: "✗", broken: "!" }[status];
      const why = message === "" ? [] : message.split("\n").map((line) => `    ${line}`);
      return [`${mark} ${name}  ${file}`, ...why];
    })
    .join("\n");
}
