import type { TestResult } from "@operator-path/walkthrough";

/** The file that a learner writes. */
export interface LearnerFile {
  /** The name to show. */
  readonly file: string;
  readonly text: string;
}

/**
 * Formats a line for each test, and below it why it does not pass, and where in the learner's project.
 *
 * @param own the file in which to look for a key that differs, if no stack leads to a line
 */
export function formatResults(results: readonly TestResult[], own?: LearnerFile): string {
  return results
    .flatMap((result) => {
      const { name, file, status, message } = result;
      const mark = { passed: "✓", failed: "✗", broken: "!" }[status];
      const why = message === "" ? [] : message.split("\n").map((line) => `    ${line}`);
      const where = placeOf(result, own);
      return [`${mark} ${name}  ${file}`, ...why, ...(where === undefined ? [] : [`    ${where}`])];
    })
    .join("\n");
}

function placeOf({ place, key, message }: TestResult, own: LearnerFile | undefined): string | undefined {
  if (place) return `It fails at ${place.file}:${place.line}.`;
  if (key !== undefined) {
    if (!own) return `It differs in ${key}.`;
    const last = key.split(".").at(-1) ?? key;
    const line = lineWith(own, (text) => text.split(/[^\w$-]+/).includes(last));
    return line === 0
      ? `It differs in ${key}, which ${own.file} does not name.`
      : `It differs in ${key}: look at ${own.file}:${line}.`;
  }
  const received = /^(?:Received: |\+ )(["'])(.+)\1$/m.exec(message)?.[2];
  const line = own && received !== undefined ? lineWith(own, (text) => text.includes(received)) : 0;
  return line === 0 ? undefined : `Look at ${own?.file}:${line}.`;
}

function lineWith({ text }: LearnerFile, holds: (line: string) => boolean): number {
  return text.split("\n").findIndex(holds) + 1;
}
