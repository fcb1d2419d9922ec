import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { applyEdit } from "../files/edit.ts";
import type { Block, ConsoleBlock, Page } from "../page/page.ts";
import { pageAfter } from "../project/page-chain.ts";
import { withStage } from "../project/stage.ts";

/** A block of a file, and the file's content around it. Undefined: the file does not exist. */
export interface FileState {
  readonly page: Page;
  readonly block: Exclude<Block, ConsoleBlock>;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The block is the solution of an exercise that is not on the page: the committed file. */
  readonly committed?: true;
}

/**
 * Returns the states of all files that blocks of a page and of the pages that go on from it name, in their
 * order. Runs their replays, and no other commands. Rejects with PageFailure if an edit does not apply.
 */
export async function readHistory(
  page: Page,
  options: { readonly root: string; readonly signal?: AbortSignal },
): Promise<FileState[]> {
  const states: FileState[] = [];
  for (let one: Page | undefined = page; one !== undefined; one = pageAfter(one)) {
    const here = one;
    let before: string | undefined;
    let starter: string | undefined;
    const read = (work: string, file: string): string | undefined =>
      existsSync(join(work, file)) ? readFileSync(join(work, file), "utf8") : undefined;
    await withStage(
      here,
      {
        ...options,
        atBlock(block, when, work) {
          if (block.kind === "console" || block.kind === "tree") return;
          if (when === "before") before = read(work, block.file);
          else if (block.kind !== "exercise")
            states.push({ page: here, block, before, after: read(work, block.file) });
          else
            states.push(...statesOfExercise(here, block, { before, starter, after: read(work, block.file) }));
        },
        async atExercise(block, { work }) {
          starter = read(work, block.file);
        },
      },
      async () => {},
    );
  }
  return states;
}

function statesOfExercise(
  page: Page,
  block: Extract<Block, { kind: "exercise" }>,
  { before, starter, after }: Record<"before" | "starter" | "after", string | undefined>,
): FileState[] {
  const states: FileState[] = [{ page, block, before, after: starter }];
  if (block.solution.every(({ kind }) => kind === "quotation"))
    states.push({ page, block, before: starter, after, committed: true });
  let now = block.solution.every(({ kind }) => kind === "quotation") ? after : starter;
  for (const part of block.solution) {
    // A solution may also change other files. Their states are those of the exercise's end.
    if (part.file !== block.file) continue;
    const next =
      part.kind === "write" ? part.content : part.kind === "edit" ? applyEdit(now ?? "", part.content) : now;
    states.push({ page, block: part, before: now, after: next });
    now = next;
  }
  return states;
}
