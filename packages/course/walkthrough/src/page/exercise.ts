import type MarkdownIt from "markdown-it";
import type { Fold } from "./folds.ts";
import type { Block, ExerciseBlock, ExerciseTest, Step } from "./page.ts";
import { PageError } from "./page-error.ts";

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

const testFile = /\.test\.[cm]?[jt]sx?$/;

/**
 * Returns the tests that an exercise makes pass. They are links to test files, in the paragraph above the one
 * that names the file. Throws an Error without a place when there are none: the caller knows the line.
 */
export function testsAbove(tokens: readonly Token[], fence: number): ExerciseTest[] {
  const paragraph = tokens[fence - 5];
  const found: ExerciseTest[] = [];
  let open: { file: string; name: string } | undefined;
  for (const child of (paragraph?.type === "inline" ? paragraph.children : undefined) ?? []) {
    if (child.type === "link_open") {
      const file = decodeURIComponent(String(child.attrGet("href") ?? "").replace(/#.*$/, ""));
      open = testFile.test(file) ? { file: file.replace(/^\.\//, ""), name: "" } : undefined;
    } else if (child.type === "link_close") {
      if (open) found.push(open);
      open = undefined;
    } else if (open) open.name += child.type === "softbreak" ? " " : child.content;
  }
  const unnamed = found.find(({ name }) => name.trim() === "" || testFile.test(name));
  if (found.length === 0 || unnamed)
    throw new Error(
      "an exercise names its failing test in the paragraph above the caption: [`the test's name`](…/file.test.ts)",
    );
  return found;
}

/**
 * Returns the blocks of a step after moving the folds below an exercise into it: `Hint`s, and the file blocks
 * of a `Solution`. A fold belongs to the exercise above it in the step. Throws PageError.
 *
 * @param offset lines of the page before its body
 */
export function withFolds(step: Step, folds: readonly Fold[], path: string, offset: number): Block[] {
  const blocks: Block[] = [];
  const inside = (block: Block, fold: Fold): boolean =>
    block.line > offset + fold.from && block.line <= offset + fold.to + 1;
  const solutions = folds.filter((fold) => /^solution\b/i.test(fold.summary));
  for (const block of step.blocks) {
    const fold = solutions.find((one) => inside(block, one));
    const exercise = blocks.findLast((one) => one.kind === "exercise");
    if (!fold || !exercise) blocks.push(block);
    else if (block.kind === "write" || block.kind === "edit" || block.kind === "quotation")
      blocks.splice(blocks.indexOf(exercise), 1, { ...exercise, solution: [...exercise.solution, block] });
    else
      throw new PageError(
        path,
        block.line,
        "a Solution holds edits (`diff`), files (`file`) and quotations: put commands below it",
      );
  }
  return blocks.map((block, i) => {
    if (block.kind !== "exercise") return block;
    if (step.cleanUp) throw new PageError(path, block.line, '"Clean up" has no exercises');
    const next = blocks.slice(i + 1).find((one) => one.kind === "exercise");
    const until = next?.line ?? Number.POSITIVE_INFINITY;
    return { ...block, hints: hintsBetween(folds, block, until, offset) };
  });
}

function hintsBetween(
  folds: readonly Fold[],
  exercise: ExerciseBlock,
  until: number,
  offset: number,
): string[] {
  return folds
    .filter(({ summary, from }) => {
      const line = offset + from + 1;
      return /^(?:\w+ )?hint\b/i.test(summary) && line > exercise.endLine && line < until;
    })
    .map(({ text }) => text);
}
