import type { ProjectHistory } from "@operator-path/walkthrough";
import type { Judgement } from "./judge.ts";
import type { Standing } from "./standing.ts";

/** A learner's file whose name differs from the page's only in upper and lower case. */
export interface OtherCase {
  /** Path on the page, relative to the project. */
  readonly file: string;
  /** The learner's path. */
  readonly own: string;
}

/**
 * Returns the files that the learner has in another case than the page. A disk that ignores case finds them, and
 * programs on other disks and in an image do not. A folder lists the names as the learner wrote them on every disk.
 */
export function filesInOtherCase(
  { start, states }: ProjectHistory,
  learner: ReadonlyMap<string, string>,
): OtherCase[] {
  const known = new Set([...start.keys(), ...states.flatMap(({ files }) => [...files.keys()])]);
  const byLetters = new Map([...known].map((file) => [file.toLowerCase(), file]));
  return [...learner.keys()].flatMap((own) => {
    const file = byLetters.get(own.toLowerCase());
    return file === undefined || known.has(own) || learner.has(file) ? [] : [{ file, own }];
  });
}

/** Returns the learner's files under the names of the page. */
export function underPageNames(
  learner: ReadonlyMap<string, string>,
  others: readonly OtherCase[],
): Map<string, string> {
  const names = new Map(others.map(({ file, own }) => [own, file]));
  return new Map([...learner].map(([path, text]) => [names.get(path) ?? path, text]));
}

/** Reports the first such file that the page has by the learner's place. Undefined without one. */
export function otherCaseProblem(
  { states, start }: ProjectHistory,
  { reached }: Standing,
  others: readonly OtherCase[],
): Judgement | undefined {
  for (let at = 0; at <= reached; at++) {
    const files = states[at]?.files ?? start;
    const other = others.find(({ file }) => files.has(file));
    if (!other) continue;
    const { file, own } = other;
    const problem = {
      where: own,
      what: `your file is named ${own}, but the page's is ${file}`,
      origin: files.get(file)?.origins.find((origin) => origin !== undefined),
      todo: `Rename it: mv ${own} ${file}`,
    };
    return { problem, at, since: at, notes: [] };
  }
  return undefined;
}
