import type { FileVersion, ProjectHistory, ProjectState, Step } from "@operator-path/walkthrough";
import { diffArrays, diffWordsWithSpace } from "diff";
import { projectPath } from "./place.ts";
import { trimmedLines, withoutCarriageReturns } from "./problem.ts";

/** A file of the learner that is not what the page has. */
export interface FileDifference {
  /** Path relative to the project. */
  readonly file: string;
  /**
   * - `missing`: the learner has no such file.
   * - `behind`: the file is still as it was before an edit of the page.
   * - `partial`: the file has some lines of an edit of the page, and lacks others.
   * - `different`: the file has another text.
   */
  readonly problem: "missing" | "behind" | "partial" | "different";
  readonly expected: FileVersion;
  /** Undefined if the file is missing. */
  readonly actual: string | undefined;
  /** Index of the state whose block made the expected version. -1: the start. */
  readonly since: number;
}

/** How far a learner's project is, and how it differs from the page there. */
export interface Standing {
  /** Index of the last state that the learner has reached. -1: none. */
  readonly reached: number;
  /** In the order in which the page writes the files. */
  readonly differences: readonly FileDifference[];
}

/**
 * Finds the last block of the page that the learner's files show, and compares them with the project there. A
 * file counts for the version that it resembles most. A block that sets a file back to an earlier version, or that only
 * removes files, shows nothing by itself: it counts if it comes next.
 *
 * @param learner path relative to the project → text
 */
export function standingOf(history: ProjectHistory, learner: ReadonlyMap<string, string>): Standing {
  let reached = -1;
  const closest = new Map<string, string>();
  for (const [file, text] of learner) {
    if (isGivenTest(history, file)) continue;
    const index = closestVersion(history, file, text);
    reached = Math.max(reached, index);
    closest.set(file, filesAt(history, index).get(file)?.text ?? "");
  }
  for (
    let next: number | undefined = reached;
    next !== undefined;
    next = removedBy(history, reached, learner)
  ) {
    reached = next;
    while (hasDone(history, reached + 1, learner, closest)) reached++;
  }
  return standingAt(history, learner, reached);
}

/**
 * Returns the last state, in the reached step or the next one, whose removed files the learner does not have either.
 * Edits before it may be missing. A file that the learner has never written counts as removed, too: from there on, the
 * page does not need it. Undefined: there is no such state.
 */
function removedBy(
  history: ProjectHistory,
  reached: number,
  learner: ReadonlyMap<string, string>,
): number | undefined {
  const { states } = history;
  const expected = filesAt(history, reached);
  const next = states.findIndex(({ step }, index) => index > reached && step !== states[reached]?.step);
  const steps = [states[reached]?.step, states[next]?.step];
  const found = states.findLastIndex(({ step, files }, index) => {
    if (index <= reached || !steps.includes(step)) return false;
    const removed = [...filesAt(history, index - 1).keys()].filter((file) => !files.has(file));
    return removed.length > 0 && removed.every((file) => expected.has(file) && !learner.has(file));
  });
  return found === -1 ? undefined : found;
}

/**
 * Compares the learner's files with the project after an earlier state. Files that the page has changed or removed
 * since are not compared: the learner's may be the later ones.
 *
 * @param found where the learner is
 */
export function standingBefore(
  history: ProjectHistory,
  learner: ReadonlyMap<string, string>,
  earlier: number,
  found: Standing,
): Standing {
  const now = filesAt(history, found.reached);
  const { reached, differences } = standingAt(history, learner, earlier);
  const isUnchanged = ({ file, expected }: FileDifference): boolean => now.get(file) === expected;
  const isMissing = ({ file, actual }: FileDifference): boolean => actual === undefined && now.has(file);
  return { reached, differences: differences.filter((one) => isUnchanged(one) || isMissing(one)) };
}

/**
 * Reports whether the learner has what a state does: none of the files that it removes, and its version of each file
 * that it changes.
 *
 * @param closest file → the page's version that the learner's resembles most
 */
function hasDone(
  history: ProjectHistory,
  index: number,
  learner: ReadonlyMap<string, string>,
  closest: ReadonlyMap<string, string>,
): boolean {
  const after = history.states[index]?.files;
  if (!after) return false;
  const before = filesAt(history, index - 1);
  const removed = [...before.keys()].filter((file) => !after.has(file));
  const changed = [...after].filter(([file, version]) => before.get(file) !== version);
  return (
    !removed.some((file) => learner.has(file)) &&
    changed.every(([file, { text }]) => closest.get(file) === text)
  );
}

/** Reports whether an exercise brings the file: listing the exercises copies their tests, so it shows no progress. */
function isGivenTest({ states }: ProjectHistory, file: string): boolean {
  const first = states.find(({ files }) => files.has(file));
  return first?.block.kind === "exercise" && projectPath(first.block.file) !== file;
}

/** Compares the learner's files with the project after a state. */
export function standingAt(
  history: ProjectHistory,
  learner: ReadonlyMap<string, string>,
  reached: number,
): Standing {
  const expected = filesAt(history, reached);
  const differences: FileDifference[] = [];
  for (const [file, version] of expected) {
    const actual = learner.get(file);
    if (actual === version.text) continue;
    const since = firstStateOf(history, file, version, reached);
    const difference = { file, expected: version, actual, since };
    differences.push({ ...difference, problem: problemOf(history, difference) });
  }
  return { reached, differences: differences.sort((a, b) => a.since - b.since) };
}

function problemOf(
  history: ProjectHistory,
  { file, expected, actual, since }: Omit<FileDifference, "problem">,
): FileDifference["problem"] {
  if (actual === undefined) return "missing";
  const closest = closestVersion(history, file, actual);
  // The page may set a file back to an earlier version.
  const isSetBack = filesAt(history, closest).get(file)?.text === expected.text;
  if (closest < since && !isSetBack) return "behind";
  const before = filesAt(history, since - 1).get(file)?.text;
  return before !== undefined && hasPartOfEdit(before, expected.text, actual) ? "partial" : "different";
}

/** Returns the files of the project after a state. */
export function filesAt(history: ProjectHistory, index: number): ProjectState["files"] {
  return history.states[index]?.files ?? history.start;
}

/** Reports whether the page has the file at some step. With a text: whether it has that text there. */
export function isOfPage({ start, states }: ProjectHistory, file: string, text?: string): boolean {
  return [start, ...states.map(({ files }) => files)].some((files) => {
    const version = files.get(file);
    return version !== undefined && (text === undefined || version.text === text);
  });
}

/**
 * Returns the index of the state that made the version which a text resembles most: first by lines, then by
 * words. Of two equally close versions, the later one counts, because the learner has begun to change the
 * earlier one. For the same reason, a text with part of an edit, or with a mistake in it, counts as edited.
 */
function closestVersion(history: ProjectHistory, file: string, own: string): number {
  const text = withoutCarriageReturns(own);
  let best = { index: -1, version: "", distance: Number.POSITIVE_INFINITY };
  let begun: number | undefined;
  let before: FileVersion | undefined;
  for (let index = -1; index < history.states.length; index++) {
    const version = filesAt(history, index).get(file);
    if (version === before || version === undefined) continue;
    const distance = distanceOf(version.text, text);
    if (distance === 0) return index;
    if (best.version === before?.text && hasBegunEdit(before.text, version.text, text)) begun = index;
    before = version;
    // The first of equal versions counts: `standingOf` finds out whether the page is past the others.
    if (version.text === best.version) continue;
    const closer =
      distance === best.distance
        ? wordsBetween(version.text, text) <= wordsBetween(best.version, text)
        : distance < best.distance;
    if (closer) {
      best = { index, version: version.text, distance };
      begun = undefined;
    }
  }
  return begun ?? best.index;
}

/** A mistake in an added line makes two lines differ from the edited version, and one from the version before. */
function hasBegunEdit(before: string, after: string, text: string): boolean {
  return hasPartOfEdit(before, after, text) || wordsBetween(after, text) < wordsBetween(before, text);
}

/** Reports whether each change from `before` to `text` is one of the changes from `before` to `after`. */
function hasPartOfEdit(before: string, after: string, text: string): boolean {
  const made = distanceOf(before, text);
  const all = distanceOf(before, after);
  if (made === 0 || made >= all || made + distanceOf(text, after) !== all) return false;
  // A blank line or a brace is in many edits.
  return diffArrays(trimmedLines(before), trimmedLines(text)).some(
    ({ added, removed, value }) => (added || removed) && value.some((line) => /\w/.test(line)),
  );
}

/** Reports whether a step leaves all files as they were before it: it writes none, or takes back what it tried. */
export function leavesFiles(history: ProjectHistory, step: Step): boolean {
  const first = history.states.findIndex((state) => state.step === step);
  if (first === -1) return true;
  const before = filesAt(history, first - 1);
  const after = history.states.findLast((state) => state.step === step)?.files ?? before;
  return (
    before.size === after.size && [...after].every(([file, { text }]) => before.get(file)?.text === text)
  );
}

/** Returns the first state after a reached one that lasts: not one of a later step that takes its edits back. */
export function nextLasting(history: ProjectHistory, reached: number): ProjectState | undefined {
  const here = history.states[reached]?.step;
  return history.states.slice(reached + 1).find(({ step }) => step === here || !leavesFiles(history, step));
}

function firstStateOf(history: ProjectHistory, file: string, version: FileVersion, from: number): number {
  let index = from;
  while (index >= 0 && filesAt(history, index - 1).get(file) === version) index--;
  return index;
}

/** Counts the lines to remove and to add. */
function distanceOf(a: string, b: string): number {
  if (a === b) return 0;
  const parts = diffArrays(trimmedLines(a), trimmedLines(b));
  return parts.reduce((sum, part) => sum + (part.added || part.removed ? part.value.length : 0), 0);
}

function wordsBetween(a: string, b: string): number {
  const parts = diffWordsWithSpace(a, b);
  return parts.reduce((sum, part) => sum + (part.added || part.removed ? part.count : 0), 0);
}
