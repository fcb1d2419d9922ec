import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import {
  listFolder,
  type Page,
  readHistory,
  replaceBlocks,
  rewritePages,
  withStage,
} from "@operator-path/walkthrough";
import { findStage } from "../copy/stage.ts";
import { shortPath } from "../pages.ts";

export interface EditPageOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** Folder of the command, for messages. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Write the edited files into the pages. Default: make the folder to edit. */
  readonly save?: boolean;
  say(line: string): void;
}

/**
 * `pnpm learn edit-page`: makes a folder with the project as it is after a step, or with `save` writes what the
 * author changed there into the pages and the committed project. Resolves to the exit status: 1 if something is
 * left to correct by hand.
 *
 * @param name `02-memcached-operator/2@a-step`
 * @throws UserError for an unknown step, a folder that already exists (or with `save` is missing), and a page that
 * has changed
 */
export async function editPage(name: string, options: EditPageOptions): Promise<number> {
  const { page, step, tutorial } = await findStage(name, options.root);
  const { project } = page.frontMatter;
  if (step === undefined || project === undefined)
    throw new UserError(
      `${name} is not a step: name one, such as ${tutorial}/1@${page.steps[0]?.slug ?? ""}`,
    );
  const number = /^\d+/.exec(basename(page.path))?.[0] ?? "";
  const folder = join(options.root, ".operator-path/edit", `${tutorial}-${number}@${step}`);
  const [edited, base] = [join(folder, project), join(folder, ".before")];
  if (!options.save) return open({ page, step, folder, edited, base }, name, options);
  if (!existsSync(edited))
    throw new UserError(`there is no folder to save: first run the command without --save`);
  const left = await save({ page, step, edited, base }, options);
  for (const line of left) options.say(`left to do: ${line}`);
  if (left.length === 0) await rm(folder, { recursive: true });
  else options.say(`${shortPath(folder, options.cwd)} stays. Delete it when you are done.`);
  options.say(`Then accept the texts, and run the pages: pnpm verify ${tutorial} --text --accept`);
  return left.length === 0 ? 0 : 1;
}

async function open(
  {
    page,
    step,
    folder,
    edited,
    base,
  }: Record<"step" | "folder" | "edited" | "base", string> & { page: Page },
  name: string,
  { root, cwd, signal, say }: EditPageOptions,
): Promise<number> {
  if (existsSync(folder))
    throw new UserError(`${shortPath(folder, cwd)} already exists: save it with --save, or delete it`);
  await withStage(page, { root, until: step, signal }, async (stage) => {
    for (const target of [edited, base]) {
      await mkdir(target, { recursive: true });
      for (const path of filesIn(stage)) {
        await mkdir(dirname(join(target, path)), { recursive: true });
        await cp(join(stage, path), join(target, path));
      }
    }
  });
  say(`Edit ${shortPath(edited, cwd)}, the project after ${name}. Then run the same command with --save.`);
  return 0;
}

async function save(
  { page, step, edited, base }: Record<"step" | "edited" | "base", string> & { page: Page },
  { root, cwd, signal, say }: EditPageOptions,
): Promise<string[]> {
  const left: string[] = [];
  const [before, after] = [filesIn(base), filesIn(edited)];
  for (const path of after.filter((one) => !before.includes(one)))
    left.push(`${path} is new: add a block for it`);
  for (const path of before.filter((one) => !after.includes(one)))
    left.push(`${path} is missing: remove its blocks`);
  const { states: history, ends } = await readHistory(page, { root, signal });
  const next = page.steps[page.steps.findIndex(({ slug }) => slug === step) + 1];
  const line = (next?.line ?? page.source.split("\n").length + 1) - 1;
  const replacements = [];
  const finals = new Map<string, string>();
  for (const path of before.filter((one) => after.includes(one))) {
    const [old, text] = await Promise.all([base, edited].map((one) => readFile(join(one, path), "utf8")));
    if (old === undefined || text === undefined || old === text) continue;
    const states = history.filter((state) => state.path === path);
    const last = states.findLast((state) => state.page.path === page.path && state.block.line <= line);
    if (last && last.after !== old)
      throw new UserError(
        `${path}: the page has changed since this folder was made: delete the folder, and start again`,
      );
    const rewrite = rewritePages(states, { page, line }, text);
    replacements.push(...rewrite.replacements);
    left.push(
      ...rewrite.byHand.map((one) => `${shortPath(one.path, cwd)}:${one.line}: ${path}: ${one.message}`),
    );
    for (const end of ends) {
      const last = end.last.get(path);
      const final = last && rewrite.after.get(last);
      const committed = join(end.committed, path);
      if (final === undefined || !existsSync(committed)) continue;
      if (end.files.get(path) === last?.after) finals.set(committed, final);
      else
        left.push(
          `${path}: a command changes this file after its last block: correct ${shortPath(committed, cwd)}`,
        );
    }
  }
  for (const [path, text] of [...replaceBlocks(replacements), ...finals]) {
    await writeFile(path, text);
    say(`changed ${shortPath(path, cwd)}`);
  }
  return left;
}

function filesIn(folder: string): string[] {
  return listFolder(folder).filter((path) => !path.endsWith("/"));
}
