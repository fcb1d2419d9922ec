import { readFileSync, writeFileSync } from "node:fs";
import { pathBelow } from "../files/tree.ts";
import type { ExerciseBlock, ExerciseTest } from "../page/page.ts";
import type { Reporter } from "../report/report.ts";
import { PageFailure, RunStopped } from "../run/failure.ts";
import { applySolution, type ExerciseFolders, placeStarter } from "./files.ts";
import type { TestOptions } from "./runners.ts";
import { runTests, type TestResult } from "./tests.ts";

/** What a learner is to write. */
export interface ExerciseTask {
  /** Path as the page has it. */
  readonly file: string;
  /** Line of the page where the exercise is. */
  readonly line: number;
  /** The file, absolute: the starter is in it. */
  readonly path: string;
  readonly starter: string;
  readonly tests: readonly ExerciseTest[];
  /** Markdown, to be shown one at a time. */
  readonly hints: readonly string[];
}

/** Connects an exercise with the learner who does it. */
export interface ExerciseGuide {
  /**
   * What next, after these results? `check` runs the tests again, and ends the exercise when they pass; `solution` goes
   * on with ours; `stop` ends the run, after its Clean up.
   */
  ask(task: ExerciseTask, results: readonly TestResult[]): Promise<"check" | "solution" | "stop">;
  /** The file is as the learner has left it for the last time: later steps go on with our solution. */
  ended(task: ExerciseTask, outcome: "solved" | "solution" | "stop"): Promise<void>;
}

export interface ExerciseContext {
  readonly folders: ExerciseFolders;
  readonly tests: TestOptions;
  /** Lets a learner do the exercise. Default: the solution is applied at once. */
  readonly guide?: ExerciseGuide | undefined;
  readonly reporter?: Reporter | undefined;
}

/**
 * Runs an exercise of the page from its starter to its solution. Each of its tests must fail with the starter, even
 * when run alone, and pass with the solution. In between a learner may write. Throws PageFailure, and RunStopped when
 * the learner stops.
 */
export async function runExercise(block: ExerciseBlock, o: ExerciseContext): Promise<void> {
  const names = block.tests.map(({ name }) => `"${name}"`).join(", ");
  o.reporter?.doing?.(`begin ${block.file}: ${names}`, block.line);
  placeStarter(block, o.folders);
  const results = await runTests(block, o.tests);
  for (const result of results) {
    if (result.status === "passed")
      throw failureOf(block, `the exercise is none: with the starter the test ${titleOf(result)} passes`);
    if (result.status === "broken")
      throw failureOf(block, `with the starter the test ${titleOf(result)} does not fail by itself`, result);
  }
  if (o.guide) await letLearnerWrite(block, o, o.guide, results);
  o.reporter?.doing?.(`solve ${block.file}`, block.line);
  applySolution(block, o.folders);
  const unsolved = (await runTests(block, o.tests)).find(({ status }) => status !== "passed");
  if (unsolved)
    throw failureOf(block, `with the solution the test ${titleOf(unsolved)} does not pass`, unsolved);
}

/** Until the tests pass, or the learner wants the solution. Afterwards the file is the starter again: later steps build on ours. */
async function letLearnerWrite(
  block: ExerciseBlock,
  o: ExerciseContext,
  guide: ExerciseGuide,
  before: readonly TestResult[],
): Promise<void> {
  const path = pathBelow(o.folders.work, block.file);
  const starter = readFileSync(path, "utf8");
  const { file, line, hints, tests } = block;
  const task: ExerciseTask = { file, line, hints, tests, path, starter };
  let outcome: "solved" | "solution" | "stop" = "stop";
  try {
    for (let results = before; ; ) {
      o.reporter?.asking?.();
      const answer = await guide.ask(task, results);
      if (answer !== "check") {
        outcome = answer;
        break;
      }
      o.reporter?.doing?.(`check ${block.file}`, block.line);
      results = await runTests(block, o.tests);
      if (results.every(({ status }) => status === "passed")) {
        outcome = "solved";
        break;
      }
    }
  } finally {
    o.reporter?.asking?.();
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
