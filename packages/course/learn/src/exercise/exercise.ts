import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import {
  createVitestRunner,
  type ExerciseBlock,
  type OpenExercise,
  openExercise,
  PageFailure,
  type VitestRunner,
} from "@operator-path/walkthrough";
import type { TestOutcome } from "@operator-path/workbench";
import { unifiedDiff } from "../check/diff.ts";
import { type PlaceOptions, projectPath } from "../check/place.ts";
import { shortPath } from "../pages.ts";
import { renderMarkdown } from "../read/render-markdown.ts";
import { testEnvironment } from "../test-environment.ts";
import { exercisesHere, type FoundExercise, findExercise } from "./find.ts";
import { readHints } from "./hints.ts";
import { keepAttempt } from "./keep.ts";
import { explainResults, formatOutcomes } from "./results.ts";
import { typeErrorsIn } from "./type-errors.ts";

export type ExerciseAction = "begin" | "check" | "hint" | "solution";

export interface ExerciseOptions extends PlaceOptions {
  readonly signal: AbortSignal;
  /** Number of the hint. Default: the next one. */
  readonly number?: number;
  say(line: string): void;
  /** Shows the results of a check's tests. Default: says them. */
  showTests?(tests: readonly TestOutcome[]): void;
  /** Called with what runs now, which may take seconds. */
  doing?(what: string): void;
}

/**
 * `pnpm exercise`: works on an exercise in the folder where a learner follows the page by hand. The name is as
 * for `findExercise`. Resolves to the exit status: 1 if `check` finds a test that does not pass. Throws
 * UserError for a missing page, exercise or folder.
 */
export async function doExercise(
  name: string,
  action: ExerciseAction,
  options: ExerciseOptions,
): Promise<number> {
  const found = await findExercise(name, options);
  await using vitest = createVitestRunner();
  return await withExercise(found, { ...options, vitest }, (exercise, attempts) =>
    act(action, { ...found, typed: name }, exercise, attempts, options),
  );
}

/**
 * `pnpm exercise` without a name: lists the exercises of the learner's project, with a tick for those that are
 * solved. Resolves to 0. Throws UserError without a project or an exercise.
 */
export async function listExercises(options: ExerciseOptions): Promise<number> {
  const { say, doing, words } = options;
  const all = await exercisesHere(options);
  if (all.length === 0) throw new UserError("the pages of your project have no exercise");
  await using vitest = createVitestRunner();
  const several = all.some(({ page }) => page !== all[0]?.page);
  let next: number | undefined;
  for (const [index, found] of all.entries()) {
    const { page, title, block } = found;
    if (several && page !== all[index - 1]?.page) say(page.frontMatter.title);
    doing?.(`running the tests of ${projectPath(block.file)}`);
    const state = await withExercise(found, { ...options, vitest }, (exercise, attempts) =>
      stateOf(exercise, block, dirname(attempts)),
    );
    if (state !== "solved") next ??= index + 1;
    const mark = state === "solved" ? "✓" : " ";
    // Next to "solved", the number would look like hints used.
    const hints = state === "solved" ? "" : `, hints: ${block.hints.length}`;
    say(`${mark} ${index + 1}  ${title}  ${projectPath(block.file)}  (${state}${hints})`);
  }
  if (next === undefined) say("All are solved.");
  else say(`${words.exercise(`${next}`, "begin")} writes the starter. Then check, hint, solution.`);
  return 0;
}

/** An exercise without its tests has not begun. Running them would put tests of later steps into the project. */
async function stateOf(
  exercise: OpenExercise,
  { content, tests }: ExerciseBlock,
  work: string,
): Promise<"not begun" | "begun" | "solved"> {
  const text = await readFile(exercise.path, "utf8").catch(() => undefined);
  if (text === undefined || !tests.every(({ file }) => existsSync(join(work, file)))) return "not begun";
  if (text === content) return "begun";
  const results = await exercise.check();
  return results.every(({ status }) => status === "passed") ? "solved" : "begun";
}

/** Opens an exercise in the learner's folder. */
async function withExercise<T>(
  { page, block }: FoundExercise,
  options: ExerciseOptions & { readonly vitest: VitestRunner },
  use: (exercise: OpenExercise, attempts: string) => Promise<T>,
): Promise<T> {
  const work = join(options.workshops, basename(dirname(page.path)));
  const learner = join(work, page.frontMatter.project ?? "");
  if (!existsSync(learner)) {
    // Some projects come from a command, such as `operator-sdk init`.
    const maker = existsSync(work) ? "a command of its page creates it" : options.words.makesFolder;
    throw new UserError(`${shortPath(learner, options.cwd)} does not exist yet: ${maker}`);
  }
  const { root, signal, vitest } = options;
  const env = testEnvironment(options.env);
  const exercise = openExercise(page, block, { root, work, env, signal, vitest });
  try {
    return await use(exercise, join(work, "exercises"));
  } catch (error) {
    throw error instanceof PageFailure
      ? new UserError(`${page.path}:${error.line}: ${error.message}`)
      : error;
  }
}

async function act(
  action: ExerciseAction,
  { page, block, name: wholeName, typed: name }: FoundExercise & { readonly typed: string },
  exercise: OpenExercise,
  attempts: string,
  options: ExerciseOptions,
): Promise<number> {
  const { say, doing, cwd, words } = options;
  const path = shortPath(exercise.path, cwd);
  const pathOf = (file: string): string => shortPath(join(dirname(attempts), file), cwd);
  if (action === "begin") {
    const { file: did, others } = exercise.begin();
    const isBegun = hasAnyLine(await readFile(exercise.path, "utf8"), block.content);
    if (did === "written") say(`The starter is in ${path}.`);
    else if (did === "edited") say(`The page's edits before the exercise are now in ${path}.`);
    else if (isBegun) say(`Write your code in ${path}: it has the lines of the exercise already.`);
    else say(`${path} already exists, and was not changed.`);
    for (const other of others) say(`The step's edits of ${shortPath(other, cwd)} are made too.`);
    if (!isBegun) {
      const at = page.steps.findLastIndex(({ line }) => line <= block.line);
      const before = page.steps[at - 1];
      const files = before ? `, or let ${words.catchUp(before.slug)} write your files` : "";
      say(
        `It does not have the page's starter. If you have solved the exercise already, run ${words.exercise(name, "check")}. Otherwise first do the page's earlier steps${files}, and begin again.`,
      );
    }
    for (const test of block.tests) say(`It must pass "${test.name}" in ${pathOf(test.file)}.`);
    say(`${words.exercise(name, "check")} runs it; hints: ${block.hints.length}.`);
    return 0;
  }
  const hints = await readHints(attempts);
  if (action === "hint") {
    const number = options.number ?? Math.min(hints.count(wholeName) + 1, Math.max(1, block.hints.length));
    const hint = block.hints[number - 1];
    if (hint === undefined)
      throw new UserError(`there is no hint ${number}: the exercise has ${block.hints.length}`);
    // As wide as it gets: the terminal wraps it.
    say(renderMarkdown(hint, { width: 10_000, color: false }).trimEnd());
    await hints.save(wholeName, Math.max(number, hints.count(wholeName)));
    const left = block.hints.length - number;
    if (left > 0) say(`\n${left} more: ${words.exercise(name, `hint ${number + 1}`)}`);
    return 0;
  }
  if (action === "check") {
    if (!existsSync(exercise.path))
      throw new UserError(`there is no ${path}: ${words.exercise(name, "begin")} puts the starter there`);
    const learner = join(dirname(attempts), page.frontMatter.project ?? "");
    if (await lacksPackages(learner))
      throw new UserError(`${shortPath(learner, cwd)} has no packages yet: run \`pnpm install\` there first`);
    const text = await readFile(exercise.path, "utf8");
    const written = { path: exercise.path, file: block.file, text, starter: block.content };
    doing?.("checking the types");
    const errors = await typeErrorsIn(written, options);
    if (errors.length > 0) {
      say(errors.join("\n"));
      say("The tests run when it compiles.");
    } else {
      doing?.(`running the tests of ${path}`);
      const results = await exercise.check();
      const shown = results.map(({ place, ...result }) => ({
        ...{ ...result, file: pathOf(result.file) },
        ...(place && { place: { ...place, file: pathOf(join(page.frontMatter.project ?? "", place.file)) } }),
      }));
      const tests = explainResults(shown, { file: path, text, starter: block.content });
      if (options.showTests) options.showTests(tests);
      else say(formatOutcomes(tests));
      if (results.every(({ status }) => status === "passed")) return 0;
    }
    const next = hints.count(wholeName) + 1;
    if (next <= block.hints.length) say(words.hint(name, next, block.hints.length));
    return 1;
  }
  const own = await readFile(exercise.path, "utf8").catch(() => block.content);
  if (own !== block.content) {
    const copy = await keepAttempt(attempts, block.file, own);
    say(`What you wrote is in ${shortPath(copy, cwd)}.`);
  }
  for (const file of await exercise.solve()) say(`The solution is in ${shortPath(file, cwd)}.`);
  const solution = await readFile(exercise.path, "utf8");
  if (solution === own) return 0;
  say(`This has changed (- ${own === block.content ? "the starter" : "yours"}, + the solution):`);
  const file = projectPath(block.file);
  say(unifiedDiff({ name: `yours/${file}`, text: own }, { name: `solution/${file}`, text: solution }));
  return 0;
}

async function lacksPackages(project: string): Promise<boolean> {
  if (existsSync(join(project, "node_modules"))) return false;
  const manifest = await readFile(join(project, "package.json"), "utf8").catch(() => "");
  return /"(?:dev)?[dD]ependencies"/.test(manifest);
}

/** Reports whether a text has a line of the starter. Braces and the like are on many lines. */
function hasAnyLine(text: string, starter: string): boolean {
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  return starter.split("\n").some((line) => line.trim().length > 3 && lines.has(line.trim()));
}
