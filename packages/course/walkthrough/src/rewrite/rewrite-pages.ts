import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findMismatch } from "../files/slice.ts";
import type { Page } from "../page/page.ts";
import type { FileState } from "./history.ts";
import { makeDiff } from "./make-diff.ts";

/** The result of a change of one file at one step. */
export interface Rewrite {
  /** New contents of fences, for `replaceBlocks`. */
  readonly replacements: readonly Replacement[];
  /** The file after each block that has no conflict above it. */
  readonly after: ReadonlyMap<FileState, string>;
  /** What an author has to correct. */
  readonly byHand: readonly { readonly path: string; readonly line: number; readonly message: string }[];
}

export interface Replacement {
  readonly page: Page;
  /** Lines of the opening and the closing fence. */
  readonly line: number;
  readonly endLine: number;
  readonly content: string;
}

/**
 * Changes a file at the end of a step. Rewrites the last block at or above that line which writes the file, and
 * merges the change into all later blocks. A block that conflicts stays as it is, and so do the blocks below it.
 *
 * @param states of the file alone, from `readHistory`
 * @param at page, and the last line of the step
 * @param edited the new content at the end of the step
 */
export function rewritePages(
  states: readonly FileState[],
  at: { readonly page: Page; readonly line: number },
  edited: string,
): Rewrite {
  const byHand: { path: string; line: number; message: string }[] = [];
  const replacements: Replacement[] = [];
  const results = new Map<FileState, string>();
  const first = states.findLastIndex(
    (state) => writes(state) && state.page.path === at.page.path && state.block.line <= at.line,
  );
  const start = states[first];
  if (!start) {
    const message = "no block up to this step writes the file: add one, or edit an earlier step";
    return { replacements, after: results, byHand: [{ path: at.page.path, line: at.line, message }] };
  }
  const replace = (state: FileState, before: string | undefined, after: string): void => {
    const { page, block } = state;
    if (state.committed || (block.kind === "exercise" && before === after)) return;
    const { line } = block;
    const content = contentOf(state, before, after);
    if (content === undefined) byHand.push({ path: page.path, line, message: nothingLeft });
    else if (content !== block.content) replacements.push(replacementOf(state, content));
  };
  replace(start, start.before, edited);
  results.set(start, edited);
  for (const state of states.slice(first + 1)) {
    const { page, block, previous } = state;
    const now = previous && results.get(previous);
    // Below a conflict, and on pages that go on from another one.
    if (now === undefined) continue;
    const before = merge(now, previous?.after ?? "", state.before ?? "");
    const after = before === undefined ? undefined : merge(before, state.before ?? "", state.after ?? "");
    if (before === undefined || after === undefined) {
      const message = "the change conflicts with this block: correct it and the blocks of the file below it";
      byHand.push({ path: page.path, line: block.line, message });
      continue;
    }
    if (writes(state)) replace(state, before, after);
    else if (findMismatch(block.content, after) !== undefined)
      byHand.push({
        path: page.path,
        line: block.line,
        message: "this excerpt is not in the file any more: correct it",
      });
    results.set(state, after);
  }
  return { replacements, after: results, byHand };
}

export const nothingLeft = "this edit has nothing left to change: remove it";

/** Returns the new content of a block that writes a file. Undefined if it is an edit that changes nothing. */
export function contentOf(
  { block, path }: FileState,
  before: string | undefined,
  after: string,
  former = block.kind === "edit" ? block.content : "",
): string | undefined {
  return block.kind === "edit" ? makeDiff(path, before ?? "", after, former) : after;
}

export function replacementOf({ page, block: { line, endLine } }: FileState, content: string): Replacement {
  return { page, line, endLine, content };
}

/** Reports whether a block writes its file. The starter of an exercise may only quote it. */
export function writes({ block, before, after }: FileState): boolean {
  return block.kind === "write" || block.kind === "edit" || (block.kind === "exercise" && before !== after);
}

/** Returns `ours` with the change from `base` to `theirs`. Undefined if the changes conflict. */
function merge(ours: string, base: string, theirs: string): string | undefined {
  if (base === theirs) return ours;
  if (ours === base) return theirs;
  const folder = mkdtempSync(join(tmpdir(), "operator-path-merge-"));
  try {
    const files = [ours, base, theirs].map((text, i) => {
      writeFileSync(join(folder, String(i)), text);
      return String(i);
    });
    return execFileSync("git", ["merge-file", "-p", ...files], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    // The status is the number of conflicts.
    const status = error instanceof Error && "status" in error ? Number(error.status) : 0;
    if (status > 0 && status < 128) return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the new source of each page with a replacement, by its path. */
export function replaceBlocks(replacements: readonly Replacement[]): Map<string, string> {
  const pages = new Map<string, string>();
  // From the end, so that earlier blocks keep their lines.
  for (const { page, line, endLine, content } of replacements.toSorted((a, b) => b.line - a.line)) {
    const lines = (pages.get(page.path) ?? page.source).split("\n");
    lines.splice(line, endLine - 1 - line, ...content.replace(/\n$/, "").split("\n"));
    pages.set(page.path, lines.join("\n"));
  }
  return pages;
}
