import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ProjectHistory } from "@operator-path/walkthrough";
import { exerciseOf, exercisesUpTo, isEditedAfter } from "../check/exercises.ts";
import { type Place, projectPath, readProject } from "../check/place.ts";
import { meansTheSame } from "../check/same-meaning.ts";
import { filesAt, isOfPage, standingAt } from "../check/standing.ts";
import { type CheckOptions, judgeWork } from "../check/where-learner-is.ts";
import { keepAttempt } from "../exercise/keep.ts";
import { shortPath } from "../pages.ts";
import { makeWorkshop } from "../start/workshop.ts";

/** Lines about changed files that `catch-up` prints at most. */
const mostLines = 10;

/** What catch-up does with the learner's files. */
export interface Plan {
  /** Index of the state that the files will have. */
  readonly index: number;
  readonly own: ReadonlyMap<string, string>;
  readonly changed: readonly (readonly [file: string, text: string])[];
  /** Of the changed files, those with the learner's own solution of an exercise. */
  readonly solutions: ReadonlySet<string>;
  /** Files of the page that the state does not have. They would not fit, and their tests would fail. */
  readonly removed: readonly (readonly [file: string, text: string])[];
  /** The packages of package.json must be installed afterwards. */
  readonly installs: boolean;
}

/** Finds out what writing the files of a state changes. */
export function planOf({ project }: Place, history: ProjectHistory, index: number): Plan {
  const own = readProject(project);
  const wanted = filesAt(history, index);
  // An older version of the page may mean the same, but its next edit would not fit.
  const isRight = (file: string, text: string): boolean => {
    const mine = own.get(file);
    return (
      mine !== undefined &&
      (mine === text || (!isOfPage(history, file, mine) && meansTheSame(file, text, mine)))
    );
  };
  const changed = [...wanted].flatMap(([file, { text }]) =>
    isRight(file, text) ? [] : [[file, text] as const],
  );
  const removed = [...own].filter(([file]) => !wanted.has(file) && isOfPage(history, file));
  const installs =
    changed.some(([file]) => file === "package.json") || !existsSync(join(project, "node_modules"));
  const exercises = new Set(exercisesUpTo(history, index).map(({ block }) => projectPath(block.file)));
  const solutions = changed.flatMap(([file]) => {
    const text = own.get(file);
    return text !== undefined && exercises.has(file) && !isOfPage(history, file, text) ? file : [];
  });
  return { index, own, changed, solutions: new Set(solutions), removed, installs };
}

/** Carries out a plan. Keeps the learner's solutions that their tests accept among the new files. */
export async function writeFiles(
  place: Place,
  history: ProjectHistory,
  plan: Plan,
  options: CheckOptions,
): Promise<void> {
  const { index, own, changed, solutions, removed } = plan;
  const { say, cwd } = options;
  const changes: string[] = [];
  const isLater = (file: string): boolean =>
    history.states.slice(index + 1).some(({ files }) => files.has(file));
  const save = async (
    file: string,
    text: string,
    verb: "Removes" | "Replaces",
    why: string,
  ): Promise<boolean> => {
    if (isOfPage(history, file, text)) return false;
    const folder = join(place.work, "saved", basename(place.project), dirname(file));
    say(`${verb} ${file}: ${why.replace(/\.+$/, "")}.`);
    say(`What you wrote is in ${shortPath(await keepAttempt(folder, file, text), cwd)}.`);
    return true;
  };
  if (removed.some(([file]) => isLater(file))) {
    const files = [...removed, ...changed.filter(([file]) => own.has(file) && !solutions.has(file))].map(
      ([file]) => file,
    );
    say(`This goes back to an earlier step: it removes or replaces ${files.join(", ")}.`);
    const folder = shortPath(join(place.work, "saved", basename(place.project)), cwd);
    say(`Your own versions are first saved in ${folder}. The page's versions can be written again.`);
  }
  for (const [file, text] of removed) {
    const why = isLater(file) ? "a later step writes it" : "the page has removed it";
    if (!(await save(file, text, "Removes", why))) changes.push(`Removed ${file}: ${why}.`);
    await rm(join(place.project, file));
  }
  const write = async (file: string, text: string, why: string): Promise<void> => {
    const before = own.get(file);
    const isSaid = before !== undefined && (await save(file, before, "Replaces", why));
    const path = join(place.project, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    if (!isSaid) changes.push(`${before === undefined ? "Wrote" : "Changed"} ${file}.`);
  };
  for (const [file, text] of changed)
    if (!solutions.has(file)) await write(file, text, "it differs from the page's");
  await makeInstallable(place, options);
  const kept = new Map(changed.filter(([file]) => solutions.has(file)));
  while (kept.size > 0) {
    const rejected = await rejectedOf(place, history, plan, new Set(kept.keys()), options);
    if (rejected.length === 0) break;
    for (const { file, why } of rejected) {
      await write(file, kept.get(file) ?? "", why);
      kept.delete(file);
    }
  }
  for (const file of kept.keys()) say(`Kept ${file}: its tests accept your solution.`);
  // A project has about forty files: more than a screen.
  const shown = changes.length > mostLines ? changes.slice(0, mostLines - 1) : changes;
  for (const line of shown) say(line);
  if (shown.length < changes.length) say(`… and ${changes.length - shown.length} more files.`);
  if (changed.length === 0 && removed.length === 0) say("Your files already match the page.");
}

/** Returns the solutions that do not fit, and why: at least one of them if there is a problem. */
async function rejectedOf(
  place: Place,
  history: ProjectHistory,
  { index }: Plan,
  solutions: ReadonlySet<string>,
  options: CheckOptions,
): Promise<{ readonly file: string; readonly why: string }[]> {
  const all = (why: string) => [...solutions].map((file) => ({ file, why }));
  if (!existsSync(join(place.project, "node_modules")))
    return all("its tests cannot run before `pnpm install`");
  const files = readProject(place.project);
  const standing = standingAt(history, files, index);
  const exercises = exercisesUpTo(history, index);
  const outdated = standing.differences.filter((difference) => {
    const exercise = exerciseOf(exercises, difference.file);
    if (!exercise || !solutions.has(difference.file)) return false;
    return difference.problem !== "different" && isEditedAfter(exercise, difference);
  });
  if (outdated.length > 0)
    return outdated.map(({ file, since }) => {
      const isWhole = history.states[since]?.block.kind === "write";
      const why = `the page ${isWhole ? "writes it anew" : "edits it"} after the exercise`;
      return { file, why };
    });
  const { problem, at } = await judgeWork({ place, history, files, standing }, options);
  if (!problem) return [];
  const block = history.states[at ?? -1]?.block;
  const file = block && "file" in block ? projectPath(block.file) : undefined;
  const what = problem.what.startsWith("error TS")
    ? `at this step, it does not compile: ${problem.what}`
    : problem.what;
  if (file !== undefined && solutions.has(file)) return [{ file, why: what }];
  return all(`${problem.where}: ${problem.what}`);
}

/** Adds the files that let pnpm work without a network. A project that the page's own command makes lacks them. */
async function makeInstallable({ pages, work, project }: Place, options: CheckOptions): Promise<void> {
  const [page] = pages;
  if (!page || existsSync(join(project, "pnpm-lock.yaml"))) return;
  const { root, env, signal } = options;
  await makeWorkshop({ root, tutorial: dirname(page.path), workshops: work, env, signal }, page);
}
