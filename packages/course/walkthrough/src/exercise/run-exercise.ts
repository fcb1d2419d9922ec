import type { ExerciseBlock } from "../page/page.ts";
import { PageFailure } from "../run/failure.ts";
import type { TestOptions } from "./file-results.ts";
import { applySolution, type ExerciseFolders, placeStarter } from "./files.ts";
import { runTests, type TestResult } from "./tests.ts";

export interface ExerciseContext {
  readonly folders: ExerciseFolders;
  readonly tests: TestOptions;
  doing(what: string, line: number): void;
}

/**
 * An exercise of the page, from its starter to its solution: each of its tests must fail with the one, by itself, and
 * pass with the other. Throws PageFailure.
 */
export async function runExercise(block: ExerciseBlock, o: ExerciseContext): Promise<void> {
  await beginExercise(block, o);
  await solveExercise(block, o);
}

/** Places the starter, and has its tests fail. Throws PageFailure. */
export async function beginExercise(block: ExerciseBlock, o: ExerciseContext): Promise<void> {
  o.doing(`begin ${block.file}: ${names(block)}`, block.line);
  placeStarter(block, o.folders);
  for (const result of await runTests(block, o.tests)) {
    if (result.status === "passed")
      throw failureOf(block, `the exercise is none: with the starter the test ${titleOf(result)} passes`);
    if (result.status === "broken")
      throw failureOf(block, `with the starter the test ${titleOf(result)} does not fail by itself`, result);
  }
}

/** Applies the solution, and has the tests pass. Throws PageFailure. */
export async function solveExercise(block: ExerciseBlock, o: ExerciseContext): Promise<void> {
  o.doing(`solve ${block.file}`, block.line);
  applySolution(block, o.folders);
  const result = (await runTests(block, o.tests)).find(({ status }) => status !== "passed");
  if (result) throw failureOf(block, `with the solution the test ${titleOf(result)} does not pass`, result);
}

function failureOf(block: ExerciseBlock, message: string, result?: TestResult): PageFailure {
  const diff = (result?.message ?? "").split("\n").map((text) => ({ kind: "+" as const, text }));
  return new PageFailure(block.line, message, result ? { diff } : {});
}

function titleOf({ name, file }: TestResult): string {
  return `"${name}" of ${file}`;
}

function names(block: ExerciseBlock): string {
  return block.tests.map(({ name }) => `"${name}"`).join(", ");
}
