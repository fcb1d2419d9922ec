import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathBelow } from "../files/tree.ts";
import type { ExerciseBlock, Page } from "../page/page.ts";
import { withStage } from "../project/stage.ts";
import { placeTests } from "./files.ts";
import { runTests, type TestResult } from "./tests.ts";

export interface OpenExerciseOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** Stands for the tutorial's folder: the learner's project is in it. */
  readonly work: string;
  /** The whole environment of the tests, with TMPDIR. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** An exercise in a folder where a learner follows the page by hand. */
export interface OpenExercise {
  /** The file to be written, absolute. */
  readonly path: string;
  /** Puts the tests there, and the starter where there is no such file; whether it was written. Throws PageFailure. */
  begin(): boolean;
  /** Runs the tests. Throws PageFailure when they cannot be run. */
  check(): Promise<TestResult[]>;
  /** Puts the solution in the place of what is there; the files, absolute. Throws PageFailure when the page does not lead there. */
  solve(): Promise<string[]>;
}

/** The exercise, as the folder is. Nothing is touched before it is asked for. */
export function openExercise(page: Page, block: ExerciseBlock, o: OpenExerciseOptions): OpenExercise {
  const folders = { work: o.work, tutorial: dirname(resolve(page.path)) };
  const { project = "" } = page.frontMatter;
  const path = pathBelow(o.work, block.file);
  const files = [...new Set([block.file, ...block.solution.map(({ file }) => file)])];
  return {
    path,
    begin() {
      placeTests(block, folders);
      if (existsSync(path)) return false;
      put(path, block.content);
      return true;
    },
    check: () => {
      placeTests(block, folders);
      const tests = { work: o.work, learner: join(o.work, project), env: o.env, signal: o.signal };
      return runTests(block, { ...tests, timeout: 120_000 });
    },
    solve: () =>
      withStage(
        page,
        { root: o.root, until: block.line, ...(o.signal && { signal: o.signal }) },
        async (stage) => {
          const solved = new Map(
            files.map((file) => [file, readFileSync(join(stage, project === "" ? "." : "..", file), "utf8")]),
          );
          for (const [file, text] of solved) put(pathBelow(o.work, file), text);
          return files.map((file) => pathBelow(o.work, file));
        },
      ),
  };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
