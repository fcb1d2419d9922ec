import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diffArrays } from "diff";
import { listFolder } from "../files/tree.ts";
import type { Block, Page, Step } from "../page/page.ts";
import { isReplay, pageBefore, writeBlocks, writeStart } from "./page-chain.ts";
import { withReplays } from "./stage.ts";

/** The line of a page that a line of a project comes from. */
export interface Origin {
  readonly page: Page;
  /** Line of the page, from 1. */
  readonly line: number;
}

/** A file of the project at some block of the page. */
export interface FileVersion {
  readonly text: string;
  /** For each line of `text`, where the pages show it. Undefined: before the first page that is known. */
  readonly origins: readonly (Origin | undefined)[];
}

/** The project after a block that changed it. */
export interface ProjectState {
  readonly page: Page;
  readonly step: Step;
  readonly block: Block;
  /** Path relative to the project → its version. A version that a block leaves alone is the same object. */
  readonly files: ReadonlyMap<string, FileVersion>;
}

/** The project of a page at each of its blocks, and before the first. */
export interface ProjectHistory {
  readonly start: ReadonlyMap<string, FileVersion>;
  readonly states: readonly ProjectState[];
}

export interface HistoryOptions {
  /** The repository's root folder. */
  readonly root: string;
  readonly signal?: AbortSignal;
}

/**
 * Writes the project of pages block by block, and returns all its states. Exercises count with their solution.
 * Rejects with PageFailure if an edit does not apply or a `replay` command fails.
 *
 * @param pages at least one, as `pagesUpTo` returns them
 */
export async function recordHistory(
  pages: readonly Page[],
  options: HistoryOptions,
): Promise<ProjectHistory> {
  const [first] = pages;
  const last = pages.at(-1);
  if (!first || !last) throw new Error("a history needs a page");
  return withReplays(last, options, async (work, replay) => {
    await writeStart(first, work, replay);
    const project = join(work, last.frontMatter.project ?? "");
    const start = nextFiles(new Map(), project, () => undefined);
    const states: ProjectState[] = [];
    for (const one of pages) {
      const atBlock = (block: Block, when: "before" | "after") => {
        if (when === "before" || !mayWrite(block)) return;
        const before = states.at(-1)?.files ?? start;
        const files = nextFiles(before, project, originsIn(one, block));
        const step = one.steps.find(({ blocks }) => blocks.includes(block));
        if (step && !sameFiles(before, files)) states.push({ page: one, step, block, files });
      };
      await writeBlocks(one, work, { ...replay, atBlock });
    }
    return { start, states };
  });
}

/** Returns the page and the earlier pages of the same project, in reading order. */
export function pagesUpTo(page: Page): Page[] {
  const before = pageBefore(page);
  return before && before.frontMatter.project === page.frontMatter.project
    ? [...pagesUpTo(before), page]
    : [page];
}

/** Reading the project after any other block would be wasted work. */
function mayWrite(block: Block): boolean {
  return isReplay(block) || block.kind === "exercise" || block.kind === "write" || block.kind === "edit";
}

type OriginOf = (line: string) => Origin | undefined;

/** Returns a function that finds the added lines of a file one after another in the text of a block. */
function originsIn(page: Page, block: Block): OriginOf {
  const lines = page.source.split("\n").slice(0, block.endLine);
  let at = block.line;
  return (line) => {
    const found = lines.findIndex((text, i) => i >= at && (text === line || text === `+${line}`));
    if (found !== -1) at = found + 1;
    return { page, line: found === -1 ? block.line : found + 1 };
  };
}

function nextFiles(
  before: ReadonlyMap<string, FileVersion>,
  project: string,
  originOf: OriginOf,
): Map<string, FileVersion> {
  const files = new Map<string, FileVersion>();
  for (const path of listIfThere(project)) {
    if (path.endsWith("/")) continue;
    const text = readFileSync(join(project, path), "utf8");
    const known = before.get(path);
    files.set(path, known?.text === text ? known : { text, origins: originsOf(text, known, originOf) });
  }
  return files;
}

function originsOf(
  text: string,
  before: FileVersion | undefined,
  originOf: OriginOf,
): FileVersion["origins"] {
  const origins: (Origin | undefined)[] = [];
  let at = 0;
  for (const part of diffArrays(before?.text.split("\n") ?? [], text.split("\n"))) {
    for (const line of part.value) {
      if (part.added) origins.push(originOf(line));
      else if (part.removed) at++;
      else origins.push(before?.origins[at++]);
    }
  }
  return origins;
}

function listIfThere(folder: string): string[] {
  try {
    return listFolder(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function sameFiles(a: ReadonlyMap<string, FileVersion>, b: ReadonlyMap<string, FileVersion>): boolean {
  return a.size === b.size && [...a].every(([path, version]) => b.get(path) === version);
}
