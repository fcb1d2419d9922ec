import {
  applyEdit,
  type Block,
  EditError,
  hasEdit,
  lineComparison,
  type Page,
  type Step,
} from "@operator-path/walkthrough";
import type { CoursePage } from "./course.ts";
import type { Files } from "./files.ts";
import { findBlock, idsOf } from "./page/view-page.ts";
import { type ActionName, actionsOf, keyOf } from "./page-actions.ts";
import { ActionError, type PageRun } from "./page-run.ts";
import { placeOfChange } from "./place-of-change.ts";
import type { Comparison, Written } from "./protocol.ts";

/** The file blocks of a page, beside the learner's files. */
export interface PageFiles {
  /** Returns the file block or exercise that an action names. Throws ActionError. */
  blockOf(action: ActionName): FileBlock;
  /**
   * Throws ActionError.
   *
   * @param unsaved the learner's text. Default: what is on disk
   */
  compare(action: ActionName, unsaved?: string): Promise<Comparison>;
  /** Writes a file block of the page, or applies its edit. Throws ActionError if it does not fit. */
  apply(action: ActionName): Promise<Written>;
  /**
   * Marks what a file shows to be done. A file that has the page's text is written, however it came there. The first
   * edit that is not done may be one that the learner has typed. Later ones are not looked at: one that takes an
   * experiment back would seem done.
   *
   * @param path of the learner's file
   */
  recognize(path: string): Promise<void>;
  recognizeAll(): Promise<void>;
  /** Counts the commands of a step that are not done. */
  commandsLeft(step: Step): number;
  /** Marks the files and exercises of a step as done. */
  finishFiles(step: Step): void;
}

type FileBlock = Exclude<Block, { kind: "console" }>;

export interface PageFilesOptions {
  readonly page: Page;
  readonly files: Files;
  readonly run: Pick<PageRun, "isDone" | "set">;
  readonly keep: CoursePage["keep"];
}

export function createPageFiles({ page, files, run, keep }: PageFilesOptions): PageFiles {
  function blockOf({ id, hash }: ActionName): FileBlock {
    const block = findBlock(page, id, hash);
    if (!block || block.kind === "console") throw new ActionError("this file is not on the page: reload it");
    return block;
  }

  async function compare(action: ActionName, unsaved?: string): Promise<Comparison> {
    const block = blockOf(action);
    const path = inProject(block.file);
    const mine = unsaved ?? (await files.read(path))?.text ?? "";
    if (block.kind !== "edit")
      return { path, mine, page: isSameText(mine, block.content) ? mine : block.content };
    const isSameLine = lineComparison(path);
    try {
      return { path, mine, page: applyEdit(mine, block.content, { isSameLine }) };
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      if (hasEdit(mine, block.content, { isSameLine })) return { path, mine, page: mine };
      const closest = applyEdit(mine, block.content, { isSameLine, closest: true });
      return { path, mine, page: closest, problem: error.message };
    }
  }

  async function apply(action: ActionName): Promise<Written> {
    const block = blockOf(action);
    if (block.kind !== "write" && block.kind !== "edit")
      throw new ActionError(`the page only shows ${inProject(block.file)}`);
    const { path, mine, page: text, problem } = await compare(action);
    if (problem !== undefined)
      throw new ActionError(
        `the edit does not fit your ${path}: press "Apply it" at the earlier edits of this file first, or look at "Show mine beside it" (${problem})`,
      );
    const replaces = block.kind === "write" && mine !== "" && mine !== text;
    const kept = replaces ? await keep(path, mine) : undefined;
    const isThere = block.kind === "edit" && mine === text;
    if (!isThere) await files.write(path, text);
    run.set(keyOf(action), { status: "done" });
    if (isThere) return { ok: true, text: `${path} has this edit already.` };
    const line = placeOfChange(mine, text);
    return {
      ok: true,
      text: kept === undefined ? `Wrote ${path}.` : `Wrote ${path}. Yours is in ${kept}.`,
      ...(line !== undefined && { line }),
    };
  }

  async function recognizeAll(): Promise<void> {
    for (const file of files.list()) await recognize(file);
  }

  async function recognize(path: string): Promise<void> {
    const toDo = fileBlocks(page).flatMap(({ id, block }) => {
      if ((block.kind !== "write" && block.kind !== "edit") || inProject(block.file) !== path) return [];
      const key = keyOf({ id, entry: 0 });
      return run.isDone(key) ? [] : { key, block };
    });
    // Other files of the learner may be of any size.
    const text = toDo.length > 0 ? (await files.read(path))?.text : undefined;
    if (text === undefined) return;
    for (const [i, { key, block }] of toDo.entries())
      if (
        block.kind === "write"
          ? isSameText(text, block.content)
          : i === 0 && hasEdit(text, block.content, { isSameLine: lineComparison(path) })
      )
        run.set(key, { status: "done" });
  }

  const isCommand = ({ kind }: Block): boolean => kind === "console";
  const left = (step: Step, isWanted: (block: Block) => boolean): string[] =>
    actionsOf(page, step, isWanted).filter((key) => !run.isDone(key));

  return {
    ...{ blockOf, compare, apply, recognize, recognizeAll },
    commandsLeft: (step) => left(step, isCommand).length,
    finishFiles(step) {
      for (const key of left(step, (block) => !isCommand(block))) run.set(key, { status: "done" });
    },
  };
}

/** Compares but for the end of the last line, which editors and people treat differently. */
function isSameText(one: string, other: string): boolean {
  return one.trimEnd() === other.trimEnd();
}

/** Returns the path within the learner's project for a path of the page, which begins with the project's name. */
export function inProject(file: string): string {
  return file.split("/").slice(1).join("/");
}

function fileBlocks(page: Page): { readonly id: string; readonly block: Block }[] {
  return page.steps.flatMap((step) => idsOf(page, step));
}
