import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { applyEdit } from "../files/edit.ts";
import { listFolder } from "../files/tree.ts";
import type { Block, ConsoleBlock, ExerciseBlock, Page } from "../page/page.ts";
import { pageAfter, pagesAfter } from "../project/page-chain.ts";
import { type StageOptions, withStage } from "../project/stage.ts";

/** A block of a file, and the file's content around it. Undefined: the file does not exist. */
export interface FileState {
  readonly page: Page;
  readonly block: Exclude<Block, ConsoleBlock>;
  /** Path of the file, relative to the page's project. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The last block of the file before this one. A page that starts with a copy goes on from the copied page. */
  readonly previous: FileState | undefined;
  /**
   * The block is the solution of an exercise that is not on the page: the committed file, or one that
   * `solutions` gave.
   */
  readonly committed?: "file" | "given";
}

/** A project as its last page leaves it. */
export interface ProjectEnd {
  /** Absolute path of the committed project. */
  readonly committed: string;
  /** Files by their path in the project. */
  readonly files: ReadonlyMap<string, string>;
  /** The last block of a file. Files that only commands write have none. */
  readonly last: ReadonlyMap<string, FileState>;
}

export interface PagesHistory {
  /** In the order of the pages. */
  readonly states: readonly FileState[];
  /** One for each project. */
  readonly ends: readonly ProjectEnd[];
}

/**
 * Returns the states of all files that blocks of a page and of the pages that go on from it name, and what
 * they leave. Runs their replays, and no other commands. Rejects with PageFailure if an edit does not apply.
 */
export async function readHistory(
  page: Page,
  options: Pick<StageOptions, "root" | "signal" | "solutions">,
): Promise<PagesHistory> {
  const states: FileState[] = [];
  const ends: ProjectEnd[] = [];
  const readFrom = async (here: Page, inherited: ReadonlyMap<string, FileState>): Promise<void> => {
    const last = new Map(inherited);
    const { project = "" } = here.frontMatter;
    const read = (work: string, file: string): string | undefined =>
      existsSync(join(work, file)) ? readFileSync(join(work, file), "utf8") : undefined;
    const add = (state: Omit<FileState, "page" | "path" | "previous">): void => {
      const path = posix.relative(project, state.block.file);
      // The tutorial's own file, which the page only quotes.
      if (path.startsWith("../")) return;
      const added = { ...state, page: here, path, previous: last.get(path) };
      states.push(added);
      last.set(path, added);
    };
    const isGiven = (block: ExerciseBlock) => options.solutions?.has(block.file) ?? false;
    let before: string | undefined;
    let starters = new Map<string, string | undefined>();
    await withStage(
      here,
      {
        ...options,
        atBlock(block, when, work) {
          if (block.kind === "console" || block.kind === "tree") return;
          if (when === "before") before = read(work, block.file);
          else if (block.kind === "exercise")
            addExercise(
              block,
              { before, starters, after: read(work, block.file), given: isGiven(block) },
              add,
            );
          else add({ block, before, after: read(work, block.file) });
        },
        async atExercise(block, { work }) {
          starters = new Map([block, ...block.solution].map(({ file }) => [file, read(work, file)]));
        },
      },
      async (folder) => {
        if (here.frontMatter.project === undefined || pageAfter(here)) return;
        const paths = existsSync(folder) ? listFolder(folder).filter((path) => !path.endsWith("/")) : [];
        const files = new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
        ends.push({ committed: join(dirname(resolve(here.path)), project), files, last });
      },
    );
    for (const next of pagesAfter(here)) await readFrom(next, last);
  };
  await readFrom(page, new Map());
  return { states, ends };
}

interface ExerciseTexts {
  readonly before: string | undefined;
  /** The files of the exercise and its solution while the starter is in place. */
  readonly starters: ReadonlyMap<string, string | undefined>;
  readonly after: string | undefined;
  /** `solutions` has the solution. */
  readonly given: boolean;
}

function addExercise(
  block: ExerciseBlock,
  { before, starters, after, given }: ExerciseTexts,
  add: (state: Omit<FileState, "page" | "path" | "previous">) => void,
): void {
  const starter = starters.get(block.file);
  add({ block, before, after: starter });
  const now = new Map(starters);
  if (block.solution.every(({ kind }) => kind === "quotation")) {
    add({ block, before: starter, after, committed: given ? "given" : "file" });
    now.set(block.file, after);
  }
  for (const part of block.solution) {
    const old = now.get(part.file);
    const next =
      part.kind === "write" ? part.content : part.kind === "edit" ? applyEdit(old ?? "", part.content) : old;
    add({ block: part, before: old, after: next });
    now.set(part.file, next);
  }
}
