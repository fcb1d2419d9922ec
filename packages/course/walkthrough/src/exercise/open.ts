import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { applyEdit, EditError } from "../files/edit.ts";
import { findMismatch } from "../files/slice.ts";
import { pathBelow } from "../files/tree.ts";
import type { ExerciseBlock, Page } from "../page/page.ts";
import { withStage } from "../project/stage.ts";
import { placeTests } from "./files.ts";
import type { VitestRunner } from "./test-run.ts";
import { runTests, type TestResult } from "./tests.ts";

export interface OpenExerciseOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** The learner's working folder. It takes the place of the tutorial's folder, and contains the project. */
  readonly work: string;
  /** The whole environment of the tests, with TMPDIR. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** As in `TestOptions`. */
  readonly vitest: VitestRunner;
}

/** An exercise in a folder where a learner follows the page by hand. */
export interface OpenExercise {
  /** Absolute path of the file that the learner writes. */
  readonly path: string;
  /**
   * Copies the tests. Writes the starter if the file is missing. Makes the page's edits of the file that lead to the
   * starter, if that does not have it yet and they apply. Returns what it did to the file. Throws PageFailure.
   */
  begin(): "written" | "edited" | "unchanged";
  /** Runs the tests. Throws PageFailure if they cannot run. */
  check(): Promise<TestResult[]>;
  /**
   * Replaces the files by the solution. Returns their absolute paths. Throws PageFailure if an earlier step
   * does not apply.
   */
  solve(): Promise<string[]>;
}

/** Returns the exercise for the learner's folder. Changes no file until a method is called. */
export function openExercise(page: Page, block: ExerciseBlock, options: OpenExerciseOptions): OpenExercise {
  const folders = { work: options.work, tutorial: dirname(resolve(page.path)) };
  const { project = "" } = page.frontMatter;
  const path = pathBelow(options.work, block.file);
  const files = [...new Set([block.file, ...block.solution.map(({ file }) => file)])];
  return {
    path,
    begin() {
      placeTests(block, folders);
      if (!existsSync(path)) {
        put(path, block.content);
        return "written";
      }
      const edited = withStarter(readFileSync(path, "utf8"), page, block);
      if (edited === undefined) return "unchanged";
      put(path, edited);
      return "edited";
    },
    check: () => {
      placeTests(block, folders);
      const tests = {
        work: options.work,
        learner: join(options.work, project),
        env: options.env,
        signal: options.signal,
        vitest: options.vitest,
      };
      return runTests(block, { ...tests, timeout: 120_000 });
    },
    solve: () =>
      withStage(
        page,
        { root: options.root, until: block.line, ...(options.signal && { signal: options.signal }) },
        async (stage) => {
          const solved = new Map(
            files.map((file) => [file, readFileSync(join(stage, project === "" ? "." : "..", file), "utf8")]),
          );
          for (const [file, text] of solved) put(pathBelow(options.work, file), text);
          return files.map((file) => pathBelow(options.work, file));
        },
      ),
  };
}

/** Makes as many of the page's last edits before an exercise as it takes. Undefined: none, or they do not apply. */
function withStarter(text: string, page: Page, { file, content, line }: ExerciseBlock): string | undefined {
  if (findMismatch(content, text) === undefined) return undefined;
  const edits = page.steps
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) =>
      block.kind === "edit" && block.file === file && block.line < line ? block.content : [],
    );
  for (const [from] of edits.entries()) {
    const edited = applyAll(text, edits.slice(from));
    if (edited !== undefined && findMismatch(content, edited) === undefined) return edited;
  }
  return undefined;
}

function applyAll(text: string, edits: readonly string[]): string | undefined {
  try {
    return edits.reduce((result, edit) => applyEdit(result, edit), text);
  } catch (error) {
    if (error instanceof EditError) return undefined;
    throw error;
  }
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
