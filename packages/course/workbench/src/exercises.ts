import type { Block, Page } from "@operator-path/walkthrough";
import type { ActionState } from "./action-state.ts";
import type { CoursePage, Doing, ExerciseAction, ExerciseOutcome } from "./course.ts";
import type { Files } from "./files.ts";
import { type ActionName, keyOf } from "./page-actions.ts";
import { inProject, type PageFiles } from "./page-files.ts";
import { ActionError, type PageRun } from "./page-run.ts";
import { placeOfChange, placeOfStarter } from "./place-of-change.ts";
import type { ExerciseResult } from "./protocol.ts";

/** The exercises of a page. */
export interface Exercises {
  /** Begins, checks or solves an exercise. Throws ActionError if the page has no such exercise. */
  run(name: ActionName, action: ExerciseAction): Promise<ExerciseResult>;
}

export interface ExercisesOptions {
  readonly page: Page;
  readonly files: Files;
  readonly run: Pick<PageRun, "states" | "set">;
  readonly coursePage: Pick<CoursePage, "exercise">;
  readonly blockOf: PageFiles["blockOf"];
  readonly doing: Doing;
}

export function createExercises({
  page,
  files,
  run,
  coursePage,
  blockOf,
  doing,
}: ExercisesOptions): Exercises {
  /** A file that cannot be read has no place to show. */
  const textOf = async (path: string): Promise<string> =>
    (await files.read(path).catch(() => undefined))?.text ?? "";

  return {
    async run(name, action) {
      const block = blockOf(name);
      const { step, number } = exerciseOf(page, block);
      const path = inProject(block.file);
      const key = keyOf(name);
      const { line: begun } = run.states().get(key) ?? {};
      const place = begun === undefined ? {} : { line: begun };
      if (action === "check") run.set(key, { status: "running", ...place });
      const before = await textOf(path);
      const outcome = await coursePage.exercise(step, number, action, doing).catch(
        (error: unknown): ExerciseOutcome => ({
          ok: false,
          text: error instanceof Error ? error.message : String(error),
        }),
      );
      if (action === "check") {
        const { ok, text, tests } = outcome;
        const state: ActionState = ok ? { status: "done" } : { status: "differs", message: text };
        run.set(key, { ...state, ...(tests && { tests }), ...place });
        return outcome;
      }
      if (!outcome.ok) return outcome;
      const text = await textOf(path);
      const line = action === "begin" ? placeOfStarter(text, block.content) : placeOfChange(before, text);
      run.set(key, { ...(run.states().get(key) ?? { status: "to do" }), line: line ?? begun ?? 1 });
      return { ...outcome, ...(line !== undefined && { line }) };
    },
  };
}

function exerciseOf(page: Page, block: Block): { step: string; number: number } {
  for (const { slug, blocks } of page.steps) {
    const exercises: readonly Block[] = blocks.filter(({ kind }) => kind === "exercise");
    const at = exercises.indexOf(block);
    if (at !== -1) return { step: slug, number: at + 1 };
  }
  throw new ActionError("this is not an exercise of the page: reload it");
}
