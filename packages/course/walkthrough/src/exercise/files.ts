import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { runFileBlock } from "../files/file-block.ts";
import { pathBelow } from "../files/tree.ts";
import type { ExerciseBlock } from "../page/page.ts";
import { PageFailure } from "../run/failure.ts";

/** The folders of an exercise. */
export interface ExerciseFolders {
  /**
   * The run's working folder. It takes the place of the tutorial's folder, and contains the learner's
   * project.
   */
  readonly work: string;
  /** The tutorial's own folder, with the committed project. */
  readonly tutorial: string;
  /** Solutions by their file, in the place of the committed ones. Default: none. */
  readonly solutions?: ReadonlyMap<string, string> | undefined;
  /** As in FileContext. */
  readonly checkNumbers?: boolean | undefined;
}

/** Returns a failure if the repository lacks a test or the solution of an exercise. */
export function findMissing(block: ExerciseBlock, tutorial: string): PageFailure | undefined {
  const isThere = (file: string): boolean => existsSync(pathBelow(tutorial, file));
  const missing = block.tests.find(({ file }) => !isThere(file));
  if (missing)
    return new PageFailure(
      block.line,
      `there is no test file ${missing.file}: put it into the committed project`,
    );
  if (isSolvedByCommitted(block) && !isThere(block.file))
    return new PageFailure(
      block.line,
      `the exercise has no solution: put ${block.file} into the committed project, or edits into a Solution fold below`,
    );
  return undefined;
}

/**
 * Places the starter and the tests. A missing file is written as the starter, and an existing one must
 * contain it. The tests come from the committed project unless the page wrote them. Throws PageFailure.
 */
export function placeStarter(block: ExerciseBlock, folders: ExerciseFolders): void {
  const { work } = folders;
  placeTests(block, folders);
  const kind = existsSync(pathBelow(work, block.file)) ? "quotation" : "write";
  runFileBlock({ ...block, kind, language: "", given: false }, { work });
}

/**
 * Copies the tests, unless the page wrote them. Throws PageFailure if the repository lacks a test or the
 * solution.
 */
export function placeTests(block: ExerciseBlock, { work, tutorial }: ExerciseFolders): void {
  const missing = findMissing(block, tutorial);
  if (missing) throw missing;
  for (const { file } of block.tests) {
    const ours = pathBelow(work, file);
    if (existsSync(ours)) continue;
    mkdirSync(dirname(ours), { recursive: true });
    copyFileSync(pathBelow(tutorial, file), ours);
  }
}

/**
 * Replaces the learner's file by the solution. Throws PageFailure if it does not apply, or changes nothing.
 */
export function applySolution(block: ExerciseBlock, folders: ExerciseFolders): void {
  const { work, tutorial, solutions, checkNumbers } = folders;
  if (isSolvedByCommitted(block)) {
    const ours = pathBelow(work, block.file);
    const solution = solutions?.get(block.file) ?? readFileSync(pathBelow(tutorial, block.file), "utf8");
    if (readFileSync(ours, "utf8") === solution)
      throw new PageFailure(
        block.line,
        `the exercise has nothing to solve: ${block.file} is already what the committed project has`,
      );
    writeFileSync(ours, solution);
  }
  for (const part of block.solution) runFileBlock(part, { work, checkNumbers });
}

function isSolvedByCommitted({ solution }: ExerciseBlock): boolean {
  return solution.every(({ kind }) => kind === "quotation");
}
