import { readFileSync, writeFileSync } from "node:fs";
import { pathBelow } from "../files/tree.ts";
import type { ExerciseBlock, ExerciseTest } from "../page/page.ts";
import type { Reporter } from "../report/report.ts";
import { PageFailure, RunStopped } from "../run/failure.ts";
import { applySolution, type ExerciseFolders, placeStarter } from "./files.ts";
import type { TestOptions } from "./test-run.ts";
import { runTests, type TestResult } from "./tests.ts";

/** An exercise for a learner. */
export interface ExerciseTask {
  /** Path on the page. */
  readonly file: string;
  /** Line of the exercise on the page. */
  readonly line: number;
  /** Absolute path of the file, which contains the starter. */
  readonly path: string;
  readonly starter: string;
  readonly tests: readonly ExerciseTest[];
  /** Markdown, to show one at a time. */
  readonly hints: readonly string[];
}

/** Connects an exercise with its learner. */
export interface ExerciseGuide {
  /**
   * Shows the results, and asks what to do next:
   *
   * - `check` runs the tests again, and ends the exercise when they pass.
   * - `solution` goes on with the committed solution.
   * - `stop` ends the run, after its Clean up.
   */
  ask(task: ExerciseTask, results: readonly TestResult[]): Promise<"check" | "solution" | "stop">;
  /** Called when the exercise ends, before the committed solution replaces the learner's file. */
  ended(task: ExerciseTask, outcome: "solved" | "solution" | "stop"): Promise<void>;
}

export interface ExerciseContext {
  readonly folders: ExerciseFolders;
  readonly tests: TestOptions;
  /** Lets a learner do the exercise. Default: the solution applies at once. */
  readonly guide?: ExerciseGuide | undefined;
  readonly reporter?: Reporter | undefined;
}

/**
 * Runs an exercise from its starter to its solution. Each of its tests must fail with the starter, even when
 * it runs alone, and pass with the solution. In between, the learner writes if there is a guide. Throws
 * PageFailure, and RunStopped when the learner stops.
 */
export async function runExercise(block: ExerciseBlock, options: ExerciseContext): Promise<void> {
  const names = block.tests.map(({ name }) => `"${name}"`).join(", ");
  options.reporter?.doing?.(`begin ${block.file}: ${names}`, block.line, block);
  placeStarter(block, options.folders);
  const results = await runTests(block, options.tests);
  for (const result of results) {
    if (result.status === "passed")
      throw failureOf(
        block,
        `the exercise has nothing to do: with the starter the test ${titleOf(result)} passes`,
      );
    if (result.status === "broken")
      throw failureOf(block, `with the starter the test ${titleOf(result)} does not fail by itself`, result);
  }
  if (options.guide) await letLearnerWrite(block, options, options.guide, results);
  options.reporter?.doing?.(`solve ${block.file}`, block.line, block);
  applySolution(block, options.folders);
  const unsolved = (await runTests(block, options.tests)).find(({ status }) => status !== "passed");
  if (unsolved)
    throw failureOf(block, `with the solution the test ${titleOf(unsolved)} does not pass`, unsolved);
}

/**
 * Lets the learner write until the tests pass, or the learner asks for the solution. Then restores the
 * starter for it.
 */
async function letLearnerWrite(
  block: ExerciseBlock,
  options: ExerciseContext,
  guide: ExerciseGuide,
  before: readonly TestResult[],
): Promise<void> {
  const path = pathBelow(options.folders.work, block.file);
  const starter = readFileSync(path, "utf8");
  const { file, line, hints, tests } = block;
  const task: ExerciseTask = { file, line, hints, tests, path, starter };
  let outcome: "solved" | "solution" | "stop" = "stop";
  try {
    for (let results = before; ; ) {
      options.reporter?.asking?.();
      const answer = await guide.ask(task, results);
      if (answer !== "check") {
        outcome = answer;
        break;
      }
      options.reporter?.doing?.(`check ${block.file}`, block.line, block);
      results = await runTests(block, options.tests);
      if (results.every(({ status }) => status === "passed")) {
        outcome = "solved";
        break;
      }
    }
  } finally {
    options.reporter?.asking?.();
    await guide.ended(task, outcome);
  }
  if (outcome === "stop") throw new RunStopped();
  writeFileSync(path, starter);
}

function failureOf(block: ExerciseBlock, message: string, result?: TestResult): PageFailure {
  const diff = (result?.message ?? "").split("\n").map((text) => ({ kind: "+" as const, text }));
  return new PageFailure(block.line, message, result ? { diff } : {});
}

function titleOf({ name, file }: TestResult): string {
  return `"${name}" of ${file}`;
}
