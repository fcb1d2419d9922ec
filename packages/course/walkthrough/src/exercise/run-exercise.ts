import { readFileSync, writeFileSync } from "node:fs";
import { pathBelow } from "../files/safe-path.ts";
import type { ExerciseBlock } from "../page/page.ts";
import { PageFailure, RunStopped } from "../run/failure.ts";
import type { TestOptions } from "./file-results.ts";
import { applySolution, type ExerciseFolders, placeStarter } from "./files.ts";
import type { ExerciseGuide, ExerciseTask } from "./guide.ts";
import { runTests, type TestResult } from "./tests.ts";

export interface ExerciseContext {
  readonly folders: ExerciseFolders;
  readonly tests: TestOptions;
  /** Lets a learner do the exercise. Default: the solution is applied at once. */
  readonly guide?: ExerciseGuide | undefined;
  doing(what: string, line: number): void;
}

/**
 * Runs an exercise of the page from its starter to its solution. Each of its tests must fail with the starter, even
 * when run alone, and pass with the solution. In between a learner may write. Throws PageFailure, and RunStopped when
 * the learner stops.
 */
export async function runExercise(block: ExerciseBlock, o: ExerciseContext): Promise<void> {
  const names = block.tests.map(({ name }) => `"${name}"`).join(", ");
  o.doing(`begin ${block.file}: ${names}`, block.line);
  placeStarter(block, o.folders);
  const results = await runTests(block, o.tests);
  for (const result of results) {
    if (result.status === "passed")
      throw failureOf(block, `the exercise is none: with the starter the test ${titleOf(result)} passes`);
    if (result.status === "broken")
      throw failureOf(block, `with the starter the test ${titleOf(result)} does not fail by itself`, result);
  }
  if (o.guide) await letLearnerWrite(block, o, o.guide, results);
  o.doing(`solve ${block.file}`, block.line);
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
      const answer = await guide.ask(task, results);
      if (answer !== "check") {
        outcome = answer;
        break;
      }
      o.doing(`check ${block.file}`, block.line);
      results = await runTests(block, o.tests);
      if (results.every(({ status }) => status === "passed")) {
        outcome = "solved";
        break;
      }
    }
  } finally {
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
