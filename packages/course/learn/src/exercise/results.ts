import type { TestResult } from "@operator-path/walkthrough";
import type { TestOutcome } from "@operator-path/workbench";
import { isComment } from "../check/problem.ts";

/** The file that a learner writes. */
export interface LearnerFile {
  /** The name to show. */
  readonly file: string;
  readonly text: string;
  /** The lines that the page gives. A mistake is more likely in the other lines. */
  readonly starter?: string;
}

/** More lines do not help to find a mistake. */
const mostLines = 3;

/**
 * Explains why tests do not pass, and where to look in the learner's project. A reason that several tests share is
 * given once.
 *
 * @param own the file in which to look for a key that differs, if no stack leads to a line
 */
export function explainResults(results: readonly TestResult[], own?: LearnerFile): TestOutcome[] {
  const shown = new Map<string, string>();
  return results.map((result) => {
    const { name, file, status, message, changed } = result;
    const { sentence, place } = whereToLook(result, own);
    const advice = [undefinedIn(result), sentence].filter((one) => one !== undefined);
    const reason = [message, ...advice].join("\n");
    const first = shown.get(reason);
    if (first !== undefined) return { name, file, status, message: "", advice: [`As "${first}".`] };
    if (reason !== "") shown.set(reason, name);
    const values = changed?.values ? { key: changed.key, ...changed.values } : result.values;
    return { name, file, status, message, advice, ...(values && { values }), ...(place && { place }) };
  });
}

/** Formats a line for each test, with its explanation below. */
export function formatOutcomes(outcomes: readonly TestOutcome[]): string {
  return outcomes
    .flatMap(({ name, file, status, message, advice }) => {
      const mark = { passed: "✓", failed: "✗", broken: "!" }[status];
      const lines = [...(message === "" ? [] : message.split("\n")), ...advice];
      return [`${mark} ${name}  ${file}`, ...lines.map((line) => `    ${line}`)];
    })
    .join("\n");
}

/** Formats what `explainResults` returns. */
export function formatResults(results: readonly TestResult[], own?: LearnerFile): string {
  return formatOutcomes(explainResults(results, own));
}

/** Shows the line of the test if the message says that something is undefined, and not what. */
function undefinedIn({ line, message }: TestResult): string | undefined {
  const isVague = /^(?:\w*Error: )?expected undefined to |^undefined !== |^\+ undefined$/m.test(message);
  return line && isVague ? `The test reads it in line ${line.line}: ${line.text}` : undefined;
}

interface WhereToLook {
  readonly sentence?: string;
  readonly place?: TestOutcome["place"];
}

function whereToLook({ place, changed, message }: TestResult, own: LearnerFile | undefined): WhereToLook {
  if (place) return { sentence: `It fails at ${place.file}:${place.line}.`, place };
  if (/^Error: promise resolved .* instead of rejecting$|Missing expected rejection/m.test(message))
    return { sentence: "The test expects an error here, and there was none." };
  if (changed) {
    const { key, values, isExtra } = changed;
    const yours = values ? `: yours is ${values.received}, and the test expects ${values.expected}` : "";
    const last = key.split(".").at(-1) ?? key;
    const differs = `What the test got differs in ${key}`;
    // A key such as `shop/web` is data of the test: no file needs to name it.
    if (!own || !(isExtra || /^[\w$-]+$/.test(last))) return { sentence: `${differs}${yours}.` };
    const names = (line: string): boolean => wordsOf(line).includes(last);
    if (!own.text.split("\n").some(names))
      return {
        sentence: isExtra
          ? `Your result has ${key}, which the test does not expect.`
          : `${differs}, which ${own.file} does not name${yours}.`,
      };
    const found = linesWith(own, names);
    return found
      ? { sentence: `${differs}: look at ${found.lines}.`, place: found.first }
      : { sentence: `${differs}${yours}.` };
  }
  const quotedAfter = (mark: string): string | undefined =>
    new RegExp(`^(?:${mark})(["'])(.+)\\1,?$`, "m").exec(message)?.[2];
  const received = quotedAfter("Received: |\\+ +");
  if (!own || received === undefined) return {};
  const expected = quotedAfter("Expected: |- +");
  const isWrong = (word: string): boolean => word.length > 2 && !wordsOf(expected ?? "").includes(word);
  const wrong = expected === undefined ? [] : wordsOf(received).filter(isWrong);
  const found =
    linesWith(own, (line) => line.includes(received)) ??
    linesWith(own, (line) => wordsOf(line).some((word) => wrong.includes(word)));
  return found ? { sentence: `Look at ${found.lines}.`, place: found.first } : {};
}

function wordsOf(text: string): string[] {
  return text.split(/[^\w$-]+/);
}

/**
 * Returns the lines of which `holds` is true, as `src/size.ts:12 or 14`, and the first of them. Prefers those that the
 * learner wrote. Undefined if there are none, or too many to be a hint: a wrong place is worse than none.
 */
function linesWith(
  { file, text, starter = "" }: LearnerFile,
  holds: (line: string) => boolean,
): { readonly lines: string; readonly first: { file: string; line: number } } | undefined {
  const given = starter.split("\n");
  const lines = text.split(/\r?\n/);
  // The starter may be only a part of the file. The lines above it come from earlier steps.
  const from = Math.max(0, lines.indexOf(given.find((line) => line.trim() !== "") ?? lines[0] ?? ""));
  const all = lines.flatMap((line, i) => (i >= from && !isComment(line) && holds(line) ? [i + 1] : []));
  const written = all.filter((line) => !given.includes(lines[line - 1] ?? ""));
  const found = written.length > 0 ? written : all;
  const [line] = found;
  if (line === undefined || found.length > mostLines) return undefined;
  return { lines: `${file}:${found.join(" or ")}`, first: { file, line } };
}
