import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "@operator-path/cluster/private-file";
import type { Page, Step } from "@operator-path/walkthrough";
import { z } from "zod";

const schema = z.object({
  version: z.literal(1),
  /** The learner has seen the tour. */
  tour: z.boolean().default(false),
  /** Name of the page that the learner worked on last: `01-podbuggertool/1`. */
  last: z.string().optional(),
  /** Name of the page that the learner opened a shell for last. */
  opened: z.string().optional(),
  /** How the learner worked last: in the browser, in a shell, or watching the steps. */
  used: z.enum(["ui", "shell", "steps"]).optional(),
  /** Slugs of steps by the page's name: done by hand, and watched. */
  pages: z
    .record(
      z.string(),
      z.object({ done: z.array(z.string()).default([]), watched: z.array(z.string()).default([]) }),
    )
    .default({}),
});

/** What a learner has finished. */
export type Finished = z.infer<typeof schema>;

const nothing: Finished = { version: 1, tour: false, pages: {} };

/**
 * Reads what the learner has finished from `progress.json`. A missing file counts as empty. A damaged file,
 * or one of a newer version, is moved aside.
 *
 * @param folder the folder of the learners' folders
 * @returns `warning` is set if the file was moved aside, and names the new path
 */
export async function readFinished(
  folder: string,
): Promise<{ readonly finished: Finished; readonly warning?: string }> {
  const file = fileIn(folder);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return { finished: nothing };
  try {
    return { finished: schema.parse(JSON.parse(text)) };
  } catch {
    const aside = `${file}.unreadable`;
    await rename(file, aside);
    const warning = `${file} cannot be read, so your finished steps are forgotten. Your folders are unchanged. The file is now ${aside}.`;
    return { finished: nothing, warning };
  }
}

/**
 * Changes the file in one atomic step. Reads it again first, because another terminal may have changed it.
 * Two changes at the same moment may lose one of them. Returns the new content.
 */
export async function changeFinished(
  folder: string,
  change: (finished: Finished) => Finished,
): Promise<Finished> {
  const next = change((await readFinished(folder)).finished);
  await writePrivateFile(fileIn(folder), `${JSON.stringify(next, null, 2)}\n`);
  return next;
}

/** How a learner finished a step. */
export type Way = "done" | "watched";

/** Sets the finished steps of a page, which becomes the learner's last one. */
export function withSteps(finished: Finished, page: string, way: Way, slugs: readonly string[]): Finished {
  const before = finished.pages[page] ?? { done: [], watched: [] };
  return { ...finished, last: page, pages: { ...finished.pages, [page]: { ...before, [way]: [...slugs] } } };
}

/** Forgets the steps of these pages that were done by hand. */
export function withoutPages(finished: Finished, pages: readonly string[]): Finished {
  const entries = Object.entries(finished.pages).map(
    ([name, page]) => [name, pages.includes(name) ? { ...page, done: [] } : page] as const,
  );
  return { ...finished, pages: Object.fromEntries(entries) };
}

/** A step of a page, and whether the learner has finished it. */
export interface StepState {
  readonly step: Step;
  /** From 1. */
  readonly number: number;
  readonly finished: boolean;
}

/**
 * Returns the steps of a page without the text above the first heading. Old names of steps count, through the
 * page's `aliases`.
 */
export function stepStates(page: Page, name: string, finished: Finished, way: Way = "done"): StepState[] {
  const { aliases } = page.frontMatter;
  const slugs = new Set((finished.pages[name]?.[way] ?? []).map((slug) => aliases[slug] ?? slug));
  return page.steps
    .filter(({ slug }) => slug !== "introduction")
    .map((step, i) => ({ step, number: i + 1, finished: slugs.has(step.slug) }));
}

/** Returns the first step that is not finished. Undefined if all are. */
export function nextStep(states: readonly StepState[]): StepState | undefined {
  return states.find((state) => !state.finished);
}

function fileIn(folder: string): string {
  return join(folder, "progress.json");
}
