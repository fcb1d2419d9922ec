import type { FileVersion, Origin } from "@operator-path/walkthrough";
import { diffArrays } from "diff";
import { colors } from "../colors.ts";
import type { Vocabulary } from "../vocabulary.ts";

/** What is wrong with a learner's project, and what to do. */
export interface Problem {
  /** The place in the learner's project: `src/select.ts:7:15`. */
  readonly where: string;
  /** What is wrong there. */
  readonly what: string;
  /** Where the page shows what should be there. */
  readonly origin?: Origin | undefined;
  /** Lines to show below: a diff, or the output of a test. */
  readonly shown?: readonly string[];
  readonly todo: string;
}

/** The first place where two texts differ. */
export interface FirstDifference {
  /** Line of the learner's file, from 1. */
  readonly line: number;
  readonly origin: Origin | undefined;
  /** The lines of the page that the file does not have. */
  readonly wanted: readonly string[];
  /** The lines of the file that the page does not have. */
  readonly found: readonly string[];
}

/**
 * Returns the first place where the learner's text differs from the page's. A place with more than comments
 * comes before one with only comments. Undefined for equal texts, and for texts that differ only in line ends.
 *
 * @param line prefer the place that contains this line of the learner's text
 */
export function differenceOf(
  expected: FileVersion,
  actual: string,
  line?: number,
): FirstDifference | undefined {
  const all = differencesOf(expected, withoutCarriageReturns(actual));
  const containing = all.find((one) => line !== undefined && containsLine(one, line));
  return containing ?? all.find(({ wanted, found }) => ![...wanted, ...found].every(isComment)) ?? all[0];
}

/** Reports whether a line of the learner's text is part of a difference. */
export function containsLine({ line: first, found }: FirstDifference, line: number): boolean {
  return first <= line && line < first + Math.max(1, found.length);
}

/** With Windows line ends, every line would differ from the page's, and look the same. */
export function withoutCarriageReturns(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Returns the lines of a text without the blanks around them, and so without carriage returns. */
export function trimmedLines(text: string): string[] {
  return text.split("\n").map((line) => line.trim());
}

/** Returns the command that removes Windows line ends: `patch` rejects a file with them, and an editor hides them. */
export function withUnixLineEnds(file: string): string {
  return `sed -i 's/\\r$//' ${file}`;
}

/** Reports whether a line has no code: a comment of TypeScript, a shell or YAML, or a blank line. */
export function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/?\*|#|$)/.test(line);
}

/** Returns all places where the learner's text differs from the page's, in the order of the file. */
export function differencesOf(expected: FileVersion, actual: string): FirstDifference[] {
  const all: FirstDifference[] = [];
  let [theirs, ours] = [0, 0];
  let open: { line: number; from: number; wanted: string[]; found: string[] } | undefined;
  const close = (): void => {
    if (open) {
      const { line, from, wanted, found } = open;
      const origin = expected.origins[from] ?? expected.origins[from - 1];
      all.push({ line, origin, wanted, found });
    }
    open = undefined;
  };
  for (const part of diffArrays(expected.text.split("\n"), actual.split("\n"))) {
    if (part.added || part.removed) {
      open ??= { line: ours + 1, from: theirs, wanted: [], found: [] };
      (part.removed ? open.wanted : open.found).push(...part.value);
    } else close();
    if (!part.added) theirs += part.value.length;
    if (!part.removed) ours += part.value.length;
  }
  close();
  return all;
}

/** Returns the lines of a difference, marked: `-` is the learner's, `+` the page's, as in a diff of the page. */
export function diffLines({ wanted, found }: FirstDifference, most = 6): string[] {
  return [
    ...shortened(found, most).map((line) => colors.red(`- ${line}`)),
    ...shortened(wanted, most).map((line) => colors.green(`+ ${line}`)),
  ];
}

function shortened(lines: readonly string[], most: number): readonly string[] {
  // A line in place of one line would save nothing.
  if (lines.length <= most + 1) return lines;
  return [...lines.slice(0, most), `… (${lines.length - most} more lines)`];
}

/** Formats a problem in lines. */
export function formatProblem({ where, what, origin, shown = [], todo }: Problem, words: Vocabulary): string {
  return [
    `${colors.red("✗")} ${where}: ${what}`,
    ...(origin ? [`  The page shows it ${words.at(origin)}`] : []),
    ...shown.map((line) => `    ${line}`),
    `  ${todo}`,
  ].join("\n");
}
