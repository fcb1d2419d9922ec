import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import {
  type ExerciseBlock,
  type OpenExercise,
  openExercise,
  type Page,
  PageError,
  PageFailure,
  parsePage,
} from "@operator-path/walkthrough";
import { choosePages, shortPath } from "../pages.ts";
import { keepAttempt } from "./keep.ts";
import { formatResults } from "./results.ts";

export type ExerciseAction = "begin" | "check" | "hint" | "solution";

export interface ExerciseOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** Folder of the learners' folders, one for each tutorial. */
  readonly workshops: string;
  /** The folder of the command. Relative paths start here. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The command that the person typed. Default `pnpm exercise`. */
  readonly command?: string;
  /** Number of the hint. Default 1. */
  readonly number?: number;
  say(line: string): void;
}

/**
 * `pnpm exercise`: works on an exercise in the folder where a learner follows the page by hand. The name is a
 * step (`03-nginx-operator/1@the-size`), or one of several in a step (`…@the-size/2`). Resolves to the exit
 * status: 1 if `check` finds a test that does not pass. Throws UserError for a missing page, exercise or
 * folder.
 */
export async function doExercise(
  name: string,
  action: ExerciseAction,
  options: ExerciseOptions,
): Promise<number> {
  const { page, block } = await findExercise(name, options);
  const work = join(options.workshops, basename(dirname(page.path)));
  const learner = join(work, page.frontMatter.project ?? "");
  if (!existsSync(learner)) {
    throw new UserError(
      `there is no ${shortPath(learner, options.cwd)} yet: \`pnpm start\`, then "Build it yourself", makes it`,
    );
  }
  const env = { TMPDIR: tmpdir(), NO_COLOR: "1", ...definedOf(options.env) };
  const exercise = openExercise(page, block, { root: options.root, work, env, signal: options.signal });
  try {
    return await act(action, block, exercise, join(work, "exercises"), name, options);
  } catch (error) {
    throw error instanceof PageFailure
      ? new UserError(`${page.path}:${error.line}: ${error.message}`)
      : error;
  }
}

async function act(
  action: ExerciseAction,
  block: ExerciseBlock,
  exercise: OpenExercise,
  attempts: string,
  name: string,
  { say, cwd, number = 1, command = "pnpm exercise" }: ExerciseOptions,
): Promise<number> {
  const path = shortPath(exercise.path, cwd);
  if (action === "begin") {
    say(exercise.begin() ? `The starter is in ${path}.` : `${path} is there already, and stays as it is.`);
    for (const test of block.tests) say(`It has to pass "${test.name}" of ${test.file}.`);
    say(`\`${command} ${name} check\` runs it; hints: ${block.hints.length}.`);
    return 0;
  }
  if (action === "hint") {
    const hint = block.hints[number - 1];
    if (hint === undefined)
      throw new UserError(`there is no hint ${number}: the exercise has ${block.hints.length}`);
    say(hint);
    const left = block.hints.length - number;
    if (left > 0) say(`\n${left} more: ${command} ${name} hint ${number + 1}`);
    return 0;
  }
  if (action === "check") {
    if (!existsSync(exercise.path))
      throw new UserError(`there is no ${path}: \`${command} ${name} begin\` puts the starter there`);
    const results = await exercise.check();
    say(formatResults(results));
    return results.every(({ status }) => status === "passed") ? 0 : 1;
  }
  const own = await readFile(exercise.path, "utf8").catch(() => block.content);
  if (own !== block.content) {
    const copy = await keepAttempt(attempts, block.file, own);
    say(`What you wrote is in ${shortPath(copy, cwd)}.`);
  }
  for (const file of await exercise.solve()) say(`The solution is in ${shortPath(file, cwd)}.`);
  return 0;
}

interface FoundExercise {
  readonly page: Page;
  readonly block: ExerciseBlock;
  readonly slug: string;
  /** Number within its step, from 1. */
  readonly number: number;
  /**
   * Name on the command line: `03-nginx-operator/2@the-size`, or `…@the-size/1` for one of several in a step.
   */
  readonly name: string;
}

async function findExercise(name: string, options: ExerciseOptions): Promise<FoundExercise> {
  const [place = "", within] = name.split("@");
  const [step, number] = within?.split("/") ?? [];
  const pages = await choosePages([place], options.root, options.cwd);
  const all = (
    await Promise.all(pages.map(async (file) => exercisesOf(await read(file.path), file.name)))
  ).flat();
  const found = all.filter(
    (one) =>
      (step === undefined || one.slug === (one.page.frontMatter.aliases[step] ?? step)) &&
      (number === undefined || String(one.number) === number),
  );
  const [exercise, another] = found;
  if (exercise && !another) return exercise;
  if (all.length === 0) throw new UserError(`${place} has no exercise`);
  const names = (exercise ? found : all).map((one) => one.name).join(", ");
  throw new UserError(
    exercise ? `which exercise? There are ${names}` : `there is no exercise ${name}: there are ${names}`,
  );
}

function exercisesOf(page: Page, pageName: string): FoundExercise[] {
  return page.steps.flatMap(({ slug, blocks }) => {
    const exercises = blocks.filter((block) => block.kind === "exercise");
    return exercises.map((block, i) => {
      const name = `${pageName}@${slug}${exercises.length > 1 ? `/${i + 1}` : ""}`;
      return { page, block, slug, number: i + 1, name };
    });
  });
}

async function read(path: string): Promise<Page> {
  try {
    return parsePage(await readFile(path, "utf8"), path);
  } catch (error) {
    throw error instanceof PageError ? new UserError(error.message) : error;
  }
}

function definedOf(env: ExerciseOptions["env"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
