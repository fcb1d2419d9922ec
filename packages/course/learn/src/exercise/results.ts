import type { TestResult } from "@operator-path/walkthrough";

/** The file that a learner writes. */
export interface LearnerFile {
  /** The name to show. */
  readonly file: string;
  readonly text: string;
  /** What the page gives of it. A mistake is rather in the other lines. */
  readonly starter?: string;
}

/** More lines do not help to find a mistake. */
const mostLines = 3;

/**
 * Formats a line for each test, and below it why it does not pass, and where in the learner's project. A reason
 * that several tests share is shown once.
 *
 * @param own the file in which to look for a key that differs, if no stack leads to a line
 */
export function formatResults(results: readonly TestResult[], own?: LearnerFile): string {
  const shown = new Map<string, string>();
  return results
    .flatMap((result) => {
      const { name, file, status, message } = result;
      const mark = { passed: "✓", failed: "✗", broken: "!" }[status];
      const why = message === "" ? [] : message.split("\n");
      const where = [undefinedIn(result), placeOf(result, own)].filter((one) => one !== undefined);
      const reason = [...why, ...where].join("\n");
      const first = shown.get(reason);
      if (reason !== "" && first === undefined) shown.set(reason, name);
      const lines = first === undefined ? [...why, ...where] : [`As "${first}".`];
      return [`${mark} ${name}  ${file}`, ...lines.map((line) => `    ${line}`)];
    })
    .join("\n");
}

/** Shows the line of the test if the message says that something is undefined, and not what. */
function undefinedIn({ line, message }: TestResult): string | undefined {
  const isVague = /^(?:\w*Error: )?expected undefined to |^undefined !== |^\+ undefined$/m.test(message);
  return line && isVague ? `The test reads it in line ${line.line}: ${line.text}` : undefined;
}

function placeOf({ place, changed, message }: TestResult, own: LearnerFile | undefined): string | undefined {
  if (place) return `It fails at ${place.file}:${place.line}.`;
  if (changed) {
    const { key, values, isExtra } = changed;
    const yours = values ? `: yours is ${values.received}, and the test expects ${values.expected}` : "";
    if (!own) return `It differs in ${key}${yours}.`;
    const last = key.split(".").at(-1) ?? key;
    const names = (line: string): boolean => line.split(/[^\w$-]+/).includes(last);
    if (!own.text.split("\n").some(names))
      return isExtra
        ? `Your result has ${key}, which the test does not expect.`
        : `It differs in ${key}, which ${own.file} does not name${yours}.`;
    const lines = linesWith(own, names);
    return lines === undefined ? `It differs in ${key}${yours}.` : `It differs in ${key}: look at ${lines}.`;
  }
  const received = /^(?:Received: |\+ )(["'])(.+)\1$/m.exec(message)?.[2];
  const lines = own && received !== undefined ? linesWith(own, (line) => line.includes(received)) : undefined;
  return lines === undefined ? undefined : `Look at ${lines}.`;
}

/**
 * Returns the lines of which `holds` is true, as `src/size.ts:12 or 14`: of those that the learner wrote, if any.
 * Undefined if there are none, or too many to be a hint: a wrong place is worse than none.
 */
function linesWith(
  { file, text, starter = "" }: LearnerFile,
  holds: (line: string) => boolean,
): string | undefined {
  const given = starter.split("\n");
  const lines = text.split(/\r?\n/);
  // A starter may be a part of the file: what is above it is of earlier steps.
  const from = Math.max(0, lines.indexOf(given.find((line) => line.trim() !== "") ?? lines[0] ?? ""));
  const all = lines.flatMap((line, i) => (i >= from && holds(line) ? [i + 1] : []));
  const written = all.filter((line) => !given.includes(lines[line - 1] ?? ""));
  const found = written.length > 0 ? written : all;
  return found.length === 0 || found.length > mostLines ? undefined : `${file}:${found.join(" or ")}`;
}
