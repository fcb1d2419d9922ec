import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { EditBlock, QuotationBlock, TreeBlock, WriteBlock } from "../page/page.ts";
import { PageFailure } from "../run/failure.ts";
import { applyEdit, EditError } from "./edit.ts";
import { findMismatch } from "./slice.ts";
import { listFolder, parseTree, pathBelow } from "./tree.ts";

export interface FileContext {
  /** The run's working folder. It takes the place of the tutorial's folder, so links start here. */
  readonly work: string;
  /** The tutorial's own folder: a page may quote its files outside of the learner's folder. Default: none. */
  readonly beside?: { readonly tutorial: string; readonly learner: string };
  /** The line numbers of a diff must be the file's. Default: they are ignored. */
  readonly checkNumbers?: boolean | undefined;
}

/** Writes, edits or compares one of the learner's files. Throws PageFailure. */
export function runFileBlock(
  block: QuotationBlock | EditBlock | WriteBlock | TreeBlock,
  context: FileContext,
): void {
  const path = pathBelow(context.work, block.file);
  switch (block.kind) {
    case "write":
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, block.content);
      return;
    case "edit": {
      const before = read(path, block);
      try {
        writeFileSync(path, applyEdit(before, block.content, context));
      } catch (error) {
        if (!(error instanceof EditError)) throw error;
        throw new PageFailure(
          block.line + 1 + error.line,
          `the edit of ${block.file} does not apply: ${error.message}`,
        );
      }
      return;
    }
    case "quotation": {
      const { beside } = context;
      const isBeside = beside !== undefined && !`${path}/`.startsWith(`${beside.learner}/`);
      const quoted = isBeside ? pathBelow(beside.tutorial, block.file) : path;
      const mismatch = findMismatch(block.content, read(quoted, block));
      if (mismatch === undefined) return;
      const text = block.content.split("\n")[mismatch] ?? "";
      throw new PageFailure(block.line + 1 + mismatch, `${block.file} does not have this line here`, {
        diff: [{ kind: "-", text }],
      });
    }
    case "tree": {
      if (!existsSync(path) || !statSync(path).isDirectory())
        throw new PageFailure(block.line, `there is no folder ${block.file}`);
      const shown = new Set(parseTree(block.content));
      const there = new Set(listFolder(path));
      const missing = [...shown].filter((entry) => !there.has(entry));
      const extra = [...there].filter((entry) => !shown.has(entry));
      if (missing.length === 0 && extra.length === 0) return;
      const diff = [
        ...missing.map((text) => ({ kind: "-" as const, text })),
        ...extra.map((text) => ({ kind: "+" as const, text })),
      ];
      throw new PageFailure(block.line, `${block.file} does not contain what the page's tree shows`, {
        diff,
      });
    }
  }
}

function read(path: string, block: { file: string; line: number }): string {
  if (!existsSync(path)) throw new PageFailure(block.line, `there is no file ${block.file} at this step`);
  return readFileSync(path, "utf8");
}
