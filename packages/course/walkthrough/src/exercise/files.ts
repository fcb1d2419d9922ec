import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { runFileBlock } from "../files/file-block.ts";
import { pathBelow } from "../files/tree.ts";
import type { ExerciseBlock } from "../page/page.ts";
import { PageFailure } from "../run/failure.ts";

/** Where an exercise is done. */
export interface ExerciseFolders {
  /** Stands for the tutorial's folder: the learner's project is in it. */
  readonly work: string;
  /** The tutorial's own folder, with the committed project. */
  readonly tutorial: string;
}

/** What the repository lacks of an exercise: its solution, or a test. */
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
 * What a learner begins with: the starter, which is written when there is no such file and compared when there is, and
 * the tests, which come from the committed project unless the page has written them. Throws PageFailure.
 */
export function placeStarter(block: ExerciseBlock, folders: ExerciseFolders): void {
  const { work } = folders;
  placeTests(block, folders);
  const kind = existsSync(pathBelow(work, block.file)) ? "quotation" : "write";
  runFileBlock({ ...block, kind, language: "" }, { work });
}

/** The tests, unless the page has written them. Throws PageFailure when the repository lacks something of the exercise. */
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

/** Puts the solution in the place of whatever is there. Throws PageFailure when it does not apply, or changes nothing. */
export function applySolution(block: ExerciseBlock, { work, tutorial }: ExerciseFolders): void {
  if (isSolvedByCommitted(block)) {
    const [ours, committed] = [pathBelow(work, block.file), pathBelow(tutorial, block.file)];
    if (readFileSync(committed).equals(readFileSync(ours)))
      throw new PageFailure(
        block.line,
        `the exercise has nothing to solve: ${block.file} is already what the committed project has`,
      );
    copyFileSync(committed, ours);
  }
  for (const part of block.solution) runFileBlock(part, { work });
}

function isSolvedByCommitted({ solution }: ExerciseBlock): boolean {
  return solution.every(({ kind }) => kind === "quotation");
}
