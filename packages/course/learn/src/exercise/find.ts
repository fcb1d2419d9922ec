import { UserError } from "@operator-path/cluster/user-error";
import type { ExerciseBlock, Page } from "@operator-path/walkthrough";
import { findPlace, type PlaceOptions, pagesOfProject } from "../check/place.ts";
import { choosePages, listPages, pageNames } from "../pages.ts";
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
  // A short name of a page would hide an exercise: `1` is also the first tutorial.
  const pages = await listPages(options.root);
  const isWhole =
    /[@/]|\.md$/.test(name) || pages.some((page) => name === page.name || name === page.name.split("/")[0]);
  return isWhole ? findByName(name, options) : findByShortName(name, await exercisesHere(options));
}

/** Returns the exercises of the project that the learner works on, in reading order. */
export async function exercisesHere(options: PlaceOptions): Promise<FoundExercise[]> {
  return exercisesOfPages((await findPlace(options)).pages, options.root);
}

/** Returns the exercises of a page, and the numbers that `exercise` takes for them in its project. */
export async function numberedExercises(
  page: Page,
  root: string,
): Promise<{ readonly number: number; readonly exercise: FoundExercise }[]> {
  const all = await exercisesOfPages(pagesOfProject((await listPages(root)).map(readPage), page), root);
  return all
    .map((exercise, index) => ({ number: index + 1, exercise }))
    .filter(({ exercise }) => exercise.page.path === page.path);
}

async function exercisesOfPages(pages: readonly Page[], root: string): Promise<FoundExercise[]> {
  const names = await pageNames(root);
  return pages.flatMap((page) => exercisesOf(page, names.get(page.path) ?? ""));
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
  const list = (exercise ? found : all).map((one) => `${all.indexOf(one) + 1} ${one.slug}`).join(", ");
  throw new UserError(
    exercise
      ? `which exercise is "${name}"? There are ${list}`
      : `there is no exercise "${name}": there are ${list}`,
  );
}

async function findByName(name: string, options: PlaceOptions): Promise<FoundExercise> {
  const [place = "", within] = name.split("@");
  const [step, number] = within?.split("/") ?? [];
  const whole = within === undefined ? place : await wholePlace(place, options);
  const pages = await choosePages([whole], options.root, options.cwd);
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

/** In the learner's tutorial, the number before `@` is that of a page, as for `check`. Elsewhere, a tutorial's. */
async function wholePlace(place: string, options: PlaceOptions): Promise<string> {
  if (!/^\d+$/.test(place)) return place;
  const own = await findPlace(options).catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });
  const name = `${own?.tutorial}/${Number(place)}`;
  return own && (await listPages(options.root)).some((page) => page.name === name) ? name : place;
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
