import { UserError } from "@operator-path/cluster/user-error";
import type { ExerciseBlock, Page } from "@operator-path/walkthrough";
import { findPlace, type PlaceOptions } from "../check/place.ts";
import { choosePages, listPages } from "../pages.ts";
import { readPage } from "../read-page.ts";

/** An exercise of a page. */
export interface FoundExercise {
  readonly page: Page;
  readonly block: ExerciseBlock;
  readonly slug: string;
  readonly title: string;
  /** Number within its step, from 1. */
  readonly number: number;
  /**
   * Name on the command line: `03-nginx-operator/2@the-size`, or `…@the-size/1` for one of several in a step.
   */
  readonly name: string;
}

/**
 * Finds an exercise by its whole name, or by a short one in the project that the learner works on: its number
 * in the list, or words of its step or file. Throws UserError if none or several match.
 */
export async function findExercise(name: string, options: PlaceOptions): Promise<FoundExercise> {
  const isWhole = /[@/]|\.md$/.test(name) || (await isPage(name, options));
  return isWhole ? findByName(name, options) : findByShortName(name, await exercisesHere(options));
}

/** Returns the exercises of the project that the learner works on, in reading order. */
export async function exercisesHere(options: PlaceOptions): Promise<FoundExercise[]> {
  const place = await findPlace(options);
  const names = new Map((await listPages(options.root)).map(({ path, name }) => [path, name]));
  return place.pages.flatMap((page) => exercisesOf(page, names.get(page.path) ?? ""));
}

async function isPage(name: string, { root, cwd }: PlaceOptions): Promise<boolean> {
  return choosePages([name], root, cwd).then(
    () => true,
    () => false,
  );
}

function findByShortName(name: string, all: readonly FoundExercise[]): FoundExercise {
  if (all.length === 0) throw new UserError("the pages of your project have no exercise");
  const wanted = name.toLowerCase();
  const found = all.filter(
    ({ slug, block }, index) =>
      String(index + 1) === wanted || slug.includes(wanted) || block.file.toLowerCase().includes(wanted),
  );
  const [byNumber] = all.filter((_, index) => String(index + 1) === wanted);
  const [exercise, another] = byNumber ? [byNumber] : found;
  if (exercise && !another) return exercise;
  const list = (exercise ? found : all)
    .map((one) => `${all.indexOf(one) + 1} ${one.slug} (${one.block.file})`)
    .join(", ");
  throw new UserError(
    exercise
      ? `which exercise is "${name}"? There are ${list}`
      : `there is no exercise "${name}": there are ${list}`,
  );
}

async function findByName(name: string, options: PlaceOptions): Promise<FoundExercise> {
  const [place = "", within] = name.split("@");
  const [step, number] = within?.split("/") ?? [];
  const pages = await choosePages([place], options.root, options.cwd);
  const all = pages.flatMap((file) => exercisesOf(readPage(file), file.name));
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
  return page.steps.flatMap(({ slug, title, blocks }) => {
    const exercises = blocks.filter((block) => block.kind === "exercise");
    return exercises.map((block, i) => {
      const name = `${pageName}@${slug}${exercises.length > 1 ? `/${i + 1}` : ""}`;
      return { page, block, slug, title, number: i + 1, name };
    });
  });
}
