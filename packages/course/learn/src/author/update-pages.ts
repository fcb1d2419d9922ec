import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  type FileState,
  followProject,
  type Page,
  pageBefore,
  type Replacement,
  readHistory,
  replaceBlocks,
  UnclearChange,
  writes,
} from "@operator-path/walkthrough";
import { createTwoFilesPatch } from "diff";
import { choosePages, shortPath } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { whatToMend } from "../what-to-mend.ts";

export interface UpdatePagesOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** Folder of the command, for messages. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Write the pages. Default: show what would change. */
  readonly save?: boolean;
  say(line: string): void;
}

/**
 * `pnpm learn update-pages`: compares the committed projects of tutorials with what their pages produce, and
 * rewrites the blocks that differ, with correct headers in every diff. Creates a missing project. Shows the change
 * as a diff of the pages.
 *
 * Resolves to the exit status: 1 if something changes and is not saved, or is left to correct by hand.
 *
 * @param names of tutorials. All pages of a tutorial count
 * @throws UserError for an unknown name, and a page whose edits do not apply
 */
export async function updatePages(names: readonly string[], options: UpdatePagesOptions): Promise<number> {
  const { root, cwd, save = false, say } = options;
  const pages = (await choosePages(names, root, cwd)).map(readPage);
  const firsts = new Map(pages.map(firstOf).map((page) => [page.path, page]));
  const changed = new Map<string, string>();
  const left: string[] = [];
  for (const first of firsts.values()) {
    if (first.frontMatter.project === undefined) continue;
    const result = await update(first, options);
    left.push(...result.left);
    for (const [path, text] of result.changed) changed.set(path, text);
  }
  for (const [path, text] of changed) {
    const name = shortPath(path, cwd);
    const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, readIfThere(path) ?? "", text);
    say(patch.replace(/^=+\n/, "").trimEnd());
    if (!save) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  for (const line of left) say(`left to do: ${line}`);
  if (changed.size === 0 && left.length === 0) say("The pages already produce the committed projects.");
  else if (changed.size > 0 && !save)
    say("Nothing was written. To write it, run the same command with --save.");
  else if (changed.size > 0) say("Then accept the texts, and run the pages: pnpm verify … --text --accept");
  return left.length === 0 && (save || changed.size === 0) ? 0 : 1;
}

function firstOf(page: Page): Page {
  const before = pageBefore(page);
  return before ? firstOf(before) : page;
}

async function update(
  first: Page,
  { root, cwd, signal, say }: UpdatePagesOptions,
): Promise<{ readonly changed: Map<string, string>; readonly left: string[] }> {
  const solutions = formerSolutions(dirname(first.path));
  const history = await readHistory(first, { root, signal, solutions }).catch((error: unknown) => {
    throw whatToMend(error);
  });
  const left: string[] = [];
  const replacements: Replacement[] = [];
  const files = new Map<string, string>();
  const written = new Set(history.states.filter(writes).map(({ path }) => path));
  const generated: string[] = [];
  for (const path of [
    ...new Set([...written, ...history.ends.flatMap((end) => [...end.files.keys()])]),
  ].sort()) {
    const committed = new Map(
      history.ends.flatMap((end) => {
        const text = end.files.has(path) ? readIfThere(join(end.committed, path)) : undefined;
        return text === undefined ? [] : [[end, text] as const];
      }),
    );
    if (!written.has(path)) {
      if (path !== "README.md" && [...committed].some(([end, text]) => end.files.get(path) !== text))
        generated.push(path);
      continue;
    }
    try {
      const followed = followProject(history, path, committed);
      replacements.push(...followed.replacements);
      left.push(
        ...followed.byHand.map((one) => `${shortPath(one.path, cwd)}:${one.line}: ${path}: ${one.message}`),
      );
      for (const [end, text] of followed.ends)
        if (committed.has(end) && committed.get(end) !== text) files.set(join(end.committed, path), text);
    } catch (error) {
      if (!(error instanceof UnclearChange)) throw error;
      const steps = [...new Set(error.candidates.map(stepOf))].join(" or ");
      left.push(
        `${path}:${error.line}: ${error.message}${steps && `: make it with \`pnpm learn edit-page\` in ${steps}`}`,
      );
    }
  }
  for (const end of history.ends.filter(({ committed }) => !existsSync(committed)))
    for (const [path, text] of end.files) files.set(join(end.committed, path), text);
  if (generated.length > 0)
    say(`Only commands write ${generated.join(", ")}: \`pnpm verify\` compares these files.`);
  return { changed: new Map([...replaceBlocks(replacements), ...files]), left };
}

/**
 * Returns the committed files of a tutorial that differ from Git's HEAD, as they were. Exercises without a
 * Solution on the page are solved by such a file, so the pages lead from its old text. Empty if a page has
 * changed, too: then the pages may already lead to the new text.
 */
function formerSolutions(tutorial: string): Map<string, string> {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: tutorial, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    const changed = git("diff", "--name-only", "--relative", "--diff-filter=M", "-z", "HEAD", "--", ".");
    const files = changed.split("\0").filter((file) => file !== "");
    if (files.some((file) => /^[^/]+\.md$/.test(file))) return new Map();
    return new Map(files.map((file) => [file, git("show", `HEAD:./${file}`)]));
  } catch {
    // Not in a Git repository, or one without a commit.
    return new Map();
  }
}

function stepOf({ page, block }: FileState): string {
  const step = page.steps.findLast(({ line }) => line <= block.line);
  const number = /^\d+/.exec(basename(page.path))?.[0] ?? "";
  return `${basename(dirname(page.path))}/${number}@${step?.slug ?? ""}`;
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
