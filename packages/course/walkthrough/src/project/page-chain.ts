import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { applySolution, placeStarter } from "../exercise/files.ts";
import { runFileBlock } from "../files/file-block.ts";
import { listFolder, pathBelow } from "../files/tree.ts";
import type { Block, ConsoleBlock, Page } from "../page/page.ts";
import { PageError } from "../page/page-error.ts";
import { parsePage } from "../page/parse.ts";
import { PageFailure } from "../run/failure.ts";
import { runProgram } from "../run/run-program.ts";
import type { Shared } from "../run/shared.ts";

export interface ReplayOptions {
  /** The whole environment of the commands. No cluster can be reached from it: a KUBECONFIG is taken away. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Where what a page leaves is kept for other runs. Default: nowhere, it is made anew. */
  readonly shared?: Shared;
}

/**
 * Writes what the learner's folder holds before the page's first step: nothing, or (`start: page N`) what the edits and
 * replays of that page leave. Where that page's project has another name, this one begins as a copy of it, and nothing else is
 * written: a learner keeps both. Rejects with an Error for a start that cannot be had, with PageFailure when an edit of
 * an earlier page does not apply, or a command of it fails.
 *
 * @param work stands for the tutorial's folder; the project is below it
 */
export async function writeStart(page: Page, work: string, o: ReplayOptions): Promise<void> {
  const before = pageBefore(page);
  if (before === undefined) {
    if (page.frontMatter.start !== "nothing")
      mkdirSync(join(work, page.frontMatter.project ?? ""), { recursive: true });
    return;
  }
  const { project } = page.frontMatter;
  const former = before.frontMatter.project;
  if (project === former || project === undefined || former === undefined) {
    await writeEnd(before, work, o);
    return;
  }
  const aside = mkdtempSync(join(tmpdir(), "operator-path-start-"));
  try {
    await writeEnd(before, aside, o);
    cpSync(join(aside, former), join(work, project), { recursive: true });
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** What the page leaves: commands take their time, so that other runs find what they made. */
async function writeEnd(page: Page, work: string, o: ReplayOptions): Promise<void> {
  const make = async (folder: string): Promise<void> => {
    await writeStart(page, folder, o);
    await writeBlocks(page, folder, o);
  };
  if (!o.shared || !hasReplays(page)) return make(work);
  const made = await o.shared.folder(resolve(page.path), make);
  // Links lead within the project, and are to lead within the copy.
  await cp(made, work, { recursive: true, verbatimSymlinks: true });
}

/**
 * Copies what the learner has to `work`, and writes what the pages that start from this one add to it: the project as
 * the last of them leaves it. Throws PageFailure with the page whose edit does not apply.
 */
export async function writeRest(page: Page, learner: string, work: string, o: ReplayOptions): Promise<void> {
  const project = join(work, basename(learner));
  for (const path of listFolder(learner)) {
    if (path.endsWith("/")) continue;
    mkdirSync(dirname(join(project, path)), { recursive: true });
    copyFileSync(join(learner, path), join(project, path));
  }
  for (let next = pageAfter(page); next !== undefined; next = pageAfter(next))
    await writeBlocks(next, work, o);
}

/** Whether commands, and not only edits, make what a page leaves. */
export function hasReplays(page: Page): boolean {
  const before = pageBefore(page);
  return blocksOf(page).some(isReplay) || (before !== undefined && hasReplays(before));
}

/**
 * Does what a page does to the project: its edits, the solutions of its exercises, and the commands of its `replay`
 * blocks, in order.
 *
 * @param until slug of the step, or line of the block, that is the last to be done; default: all of them
 */
export async function writeBlocks(
  page: Page,
  work: string,
  o: ReplayOptions,
  until?: string | number,
): Promise<void> {
  const last = page.steps.findIndex(({ slug }) => slug === until);
  const steps = typeof until === "string" ? page.steps.slice(0, last + 1) : page.steps;
  for (const block of steps.flatMap(({ blocks }) => blocks)) {
    if (typeof until === "number" && block.line > until) return;
    try {
      if (isReplay(block))
        await replayBlock(block, { work, learner: join(work, page.frontMatter.project ?? "") }, o);
      else if (block.kind === "exercise") {
        const folders = { work, tutorial: dirname(resolve(page.path)) };
        placeStarter(block, folders);
        applySolution(block, folders);
      } else if (block.kind === "write" || block.kind === "edit") runFileBlock(block, { work });
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
      const where = `${basename(page.path)}:${error.line}`;
      throw new PageFailure(error.line, `${where}: ${error.message}`, { diff: error.diff });
    }
  }
}

/**
 * Does again what a block did to the project, at `learner`; while that folder is not there, in `work`, which stands for
 * the tutorial's. Throws PageFailure with what its commands said when one of them fails.
 */
async function replayBlock(
  block: ConsoleBlock,
  { work, learner }: { readonly work: string; readonly learner: string },
  o: ReplayOptions,
): Promise<void> {
  o.signal?.throwIfAborted();
  const folder = pathBelow(learner, block.options.cwd ?? ".");
  const commands = block.entries.map(({ text }) => text).join("\n");
  const { status, output } = await runProgram("bash", ["--noprofile", "--norc", "-ec", commands], {
    cwd: existsSync(folder) ? folder : work,
    env: { ...o.env, KUBECONFIG: "/dev/null" },
    signal: o.signal,
  });
  if (status === 0) return;
  const diff = output
    .trimEnd()
    .split("\n")
    .slice(-20)
    .map((text) => ({ kind: "+" as const, text }));
  const message = `done again, for what goes on from here, its commands exit with status ${status}`;
  throw new PageFailure(block.line, message, { diff, command: commands });
}

function blocksOf(page: Page): Block[] {
  return page.steps.flatMap(({ blocks }) => blocks);
}

function isReplay(block: Block): block is ConsoleBlock {
  return block.kind === "console" && block.options.replay;
}

/** The page that this one starts from. Throws PageError when there is no such page before it. */
export function pageBefore(page: Page): Page | undefined {
  const { start } = page.frontMatter;
  if (start === "empty" || start === "nothing") return undefined;
  const number = /^page (\d+)$/.exec(start)?.[1];
  const line = page.source.split("\n").findIndex((text) => text.startsWith("start:")) + 1;
  if (number === undefined) throw new PageError(page.path, line, `start: ${start} is not supported yet`);
  const before = siblings(page).find((file) => numberOf(file) === Number(number));
  if (before === undefined || Number(number) >= (numberOf(page.path) ?? Number.POSITIVE_INFINITY)) {
    throw new PageError(page.path, line, `start: ${start}: there is no such page before this one`);
  }
  return read(before);
}

/** The page that goes on with this one's project where this one ends. */
export function pageAfter(page: Page): Page | undefined {
  const number = numberOf(page.path);
  if (number === undefined) return undefined;
  return siblings(page)
    .filter((file) => (numberOf(file) ?? 0) > number)
    .map(read)
    .find(({ frontMatter }) => {
      return frontMatter.start === `page ${number}` && frontMatter.project === page.frontMatter.project;
    });
}

/** The numbered pages of the tutorial, absolute. */
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

/** The committed project that a page ends with, from the repository's root; undefined for a page without one. */
export function projectOf(page: Page, root: string): string | undefined {
  const { project } = page.frontMatter;
  return project && relative(root, join(dirname(resolve(page.path)), project));
}
