import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { applySolution, placeStarter } from "../exercise/files.ts";
import { runFileBlock } from "../files/file-block.ts";
import { listFolder, pathBelow } from "../files/tree.ts";
import type { Block, ConsoleBlock, ExerciseBlock, Page } from "../page/page.ts";
import { PageError } from "../page/page-error.ts";
import { parsePage } from "../page/parse.ts";
import { PageFailure } from "../run/failure.ts";
import { runProgram } from "../run/run-program.ts";
import type { Shared } from "../run/shared.ts";

export interface ReplayOptions {
  /** The whole environment of the commands. A KUBECONFIG is removed, so that they reach no cluster. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Solutions of exercises by their file, in the place of the committed ones. Default: none. */
  readonly solutions?: ReadonlyMap<string, string> | undefined;
  /** Keeps the result of a page for other runs. Default: each run makes its own. */
  readonly shared?: Shared;
}

/**
 * Writes the learner's folder as it is before the page's first step: empty, or for `start: page N` with the
 * result of the edits and replays of that page. If the earlier page's project has another name, the page's
 * project begins as a copy of it. Rejects with PageError for a missing page, and with PageFailure if an edit
 * or command of an earlier page fails.
 *
 * @param work takes the place of the tutorial's folder. The project is below it
 */
export async function writeStart(page: Page, work: string, options: ReplayOptions): Promise<void> {
  const before = pageBefore(page);
  if (before === undefined) {
    if (page.frontMatter.start !== "nothing")
      mkdirSync(join(work, page.frontMatter.project ?? ""), { recursive: true });
    return;
  }
  const { project } = page.frontMatter;
  const former = before.frontMatter.project;
  if (project === former || project === undefined || former === undefined) {
    await writeEnd(before, work, options);
    return;
  }
  // Beside `work`: the files of a project may name others by relative paths, such as tarballs of the libraries.
  const aside = mkdtempSync(join(dirname(work), "start-"));
  try {
    await writeEnd(before, aside, options);
    copyProject(join(aside, former), join(work, project));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Writes what the page leaves. Commands take time, so their result is shared with other runs. */
async function writeEnd(page: Page, work: string, options: ReplayOptions): Promise<void> {
  const make = async (folder: string): Promise<void> => {
    await writeStart(page, folder, options);
    await writeBlocks(page, folder, options);
  };
  if (!options.shared || !hasReplays(page)) return make(work);
  const made = await options.shared.folder(resolve(page.path), make);
  copyProject(made, work);
}

/** A file of a package in pnpm's layout of `node_modules`. */
const packageFile = /[\\/]node_modules[\\/]\.pnpm[\\/][^\\/]+[\\/]node_modules[\\/]/;

/**
 * Copies a project, or a folder of projects, within a file system. The copy shares the files of installed
 * packages by hard links, as pnpm does with its store: they are half a gigabyte, and are not changed in place.
 */
export function copyProject(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    // Links within the project must stay within the copy.
    verbatimSymlinks: true,
    filter(source, target) {
      if (!packageFile.test(source) || !lstatSync(source).isFile()) return true;
      linkSync(source, target);
      return false;
    },
  });
}

/**
 * Copies the learner's folder to `work`, and applies the edits of the pages that go on from this one. The
 * result is the project as the last of them leaves it. Throws PageFailure with the page whose edit does not
 * apply.
 */
export async function writeRest(
  page: Page,
  learner: string,
  work: string,
  options: ReplayOptions,
): Promise<void> {
  const project = join(work, basename(learner));
  for (const path of listFolder(learner)) {
    if (path.endsWith("/")) continue;
    mkdirSync(dirname(join(project, path)), { recursive: true });
    copyFileSync(join(learner, path), join(project, path));
  }
  for (let next = pageAfter(page); next !== undefined; next = pageAfter(next))
    await writeBlocks(next, work, options);
}

/** Reports whether commands, and not only edits, write the project that a page leaves. */
export function hasReplays(page: Page): boolean {
  const before = pageBefore(page);
  return blocksOf(page).some(isReplay) || (before !== undefined && hasReplays(before));
}

export interface WriteBlocksOptions extends ReplayOptions {
  /** Slug of the last step, or line of the last block, to apply. Default: all of them. */
  readonly until?: string | number | undefined;
  /** Called between the starter and the solution of each exercise. */
  readonly atExercise?: ((block: ExerciseBlock) => Promise<void>) | undefined;
  /** Called before and after each block. */
  readonly atBlock?: ((block: Block, when: "before" | "after") => void) | undefined;
}

/**
 * Applies a page to the project, in order: its edits, the solutions of its exercises, and the commands of its
 * `replay` blocks.
 */
export async function writeBlocks(
  page: Page,
  work: string,
  { until, atExercise, atBlock, ...options }: WriteBlocksOptions,
): Promise<void> {
  const last = page.steps.findIndex(({ slug }) => slug === until);
  const steps = typeof until === "string" ? page.steps.slice(0, last + 1) : page.steps;
  for (const block of steps.flatMap(({ blocks }) => blocks)) {
    if (typeof until === "number" && block.line > until) return;
    atBlock?.(block, "before");
    try {
      if (isReplay(block))
        await replayBlock(block, { work, learner: join(work, page.frontMatter.project ?? "") }, options);
      else if (block.kind === "exercise") {
        const folders = { work, tutorial: dirname(resolve(page.path)), solutions: options.solutions };
        placeStarter(block, folders);
        await atExercise?.(block);
        applySolution(block, folders);
      } else if (block.kind === "write" || block.kind === "edit") runFileBlock(block, { work });
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
      const where = `${basename(page.path)}:${error.line}`;
      throw new PageFailure(error.line, `${where}: ${error.message}`, { diff: error.diff });
    }
    atBlock?.(block, "after");
  }
}

/**
 * Runs the commands of a block again in the project's folder, or in `work` while that is missing. Throws
 * PageFailure with the output if one of them fails.
 */
async function replayBlock(
  block: ConsoleBlock,
  { work, learner }: { readonly work: string; readonly learner: string },
  options: ReplayOptions,
): Promise<void> {
  options.signal?.throwIfAborted();
  const folder = pathBelow(learner, block.options.cwd ?? ".");
  const commands = block.entries.map(({ text }) => text).join("\n");
  const { status, output } = await runProgram("bash", ["--noprofile", "--norc", "-ec", commands], {
    cwd: existsSync(folder) ? folder : work,
    env: { ...options.env, KUBECONFIG: "/dev/null" },
    signal: options.signal,
  });
  if (status === 0) return;
  const diff = output
    .trimEnd()
    .split("\n")
    .slice(-20)
    .map((text) => ({ kind: "+" as const, text }));
  const message = `replayed for a later page, its commands exit with status ${status}`;
  throw new PageFailure(block.line, message, { diff, command: commands });
}

function blocksOf(page: Page): Block[] {
  return page.steps.flatMap(({ blocks }) => blocks);
}

/** Reports whether the commands of a block write files of the project. */
export function isReplay(block: Block): block is ConsoleBlock {
  return block.kind === "console" && block.options.replay;
}

/**
 * Returns the page that this one starts from. Throws PageError if there is no such page before it.
 *
 * @param readPage reads the page of a path. Default: from disk
 */
export function pageBefore(page: Page, readPage: (path: string) => Page = read): Page | undefined {
  const { start } = page.frontMatter;
  if (start === "empty" || start === "nothing") return undefined;
  const number = /^page (\d+)$/.exec(start)?.[1];
  const line = page.source.split("\n").findIndex((text) => text.startsWith("start:")) + 1;
  if (number === undefined) throw new PageError(page.path, line, `start: ${start} is not supported yet`);
  const before = siblings(page).find((file) => numberOf(file) === Number(number));
  if (before === undefined || Number(number) >= (numberOf(page.path) ?? Number.POSITIVE_INFINITY)) {
    throw new PageError(page.path, line, `start: ${start}: there is no such page before this one`);
  }
  return readPage(before);
}

/** Returns the page that starts from this one and has the same project. */
export function pageAfter(page: Page): Page | undefined {
  return pagesAfter(page).find(({ frontMatter }) => frontMatter.project === page.frontMatter.project);
}

/** Returns the pages that start from this one, also those that begin with a copy under another name. */
export function pagesAfter(page: Page): Page[] {
  const number = numberOf(page.path);
  if (number === undefined) return [];
  return siblings(page)
    .filter((file) => (numberOf(file) ?? 0) > number)
    .map(read)
    .filter(({ frontMatter }) => frontMatter.start === `page ${number}`);
}

/** Returns the absolute paths of the numbered pages of the tutorial. */
function siblings(page: Page): string[] {
  const folder = dirname(resolve(page.path));
  return readdirSync(folder)
    .filter((file) => /^\d+-.*\.md$/.test(file))
    .map((file) => join(folder, file));
}

function numberOf(path: string): number | undefined {
  const digits = /^(\d+)-/.exec(basename(path))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function read(path: string): Page {
  return parsePage(readFileSync(path, "utf8"), path);
}

/** Returns the committed project of the page that this one starts from, if it is another one: `projectOf`. */
export function startProjectOf(page: Page, root: string): string | undefined {
  const before = pageBefore(page);
  const project = before && projectOf(before, root);
  return project === projectOf(page, root) ? undefined : project;
}

/**
 * Returns the committed project of a page, relative to the repository's root. Undefined for a page without
 * one.
 */
export function projectOf(page: Page, root: string): string | undefined {
  const { project } = page.frontMatter;
  return project && relative(root, join(dirname(resolve(page.path)), project));
}
