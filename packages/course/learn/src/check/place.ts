import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { listFolder, type Page, pagesUpTo } from "@operator-path/walkthrough";
import { listPages } from "../pages.ts";
import { readPage } from "../read-page.ts";
import type { Vocabulary } from "../vocabulary.ts";

export interface PlaceOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** Folder of the learners' folders, one for each tutorial. */
  readonly workshops: string;
  /** The folder of the command. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words of messages. */
  readonly words: Vocabulary;
}

/** A learner's project, and the pages that build it. */
export interface Place {
  /** Name of the tutorial's folder. */
  readonly tutorial: string;
  /** `.operator-path/<tutorial>`: the folder that takes the place of the tutorial's. */
  readonly work: string;
  /** Absolute path of the project. */
  readonly project: string;
  /** The pages of this project, in reading order, as `pagesUpTo` returns them. At least one. */
  readonly pages: readonly Page[];
}

/**
 * Finds the project that the learner works on: that of the current folder, else the one of the shell's
 * tutorial, else the one of any tutorial, with the newest file. Throws UserError without one.
 *
 * @param tutorial name of a tutorial, if the command names one
 */
export async function findPlace(options: PlaceOptions, tutorial?: string): Promise<Place> {
  const pages = (await listPages(options.root)).map(readPage);
  const known = [...new Map(pages.map((page) => [folderOf(page, options), page])).keys()];
  const inside = relative(options.workshops, resolve(options.cwd)).split(sep);
  const here = join(options.workshops, ...inside.slice(0, 2));
  const own = tutorial ?? (inside[0] !== ".." && inside[0] ? inside[0] : tutorialOfShell(options));
  const project =
    tutorial === undefined && known.includes(here) && existsSync(here)
      ? here
      : projectIn(known.filter((folder) => own === undefined || basename(dirname(folder)) === own));
  if (project === undefined) {
    throw new UserError(
      `you have no folder${own === undefined ? "" : ` for ${own}`} yet: ${options.words.makesFolder}`,
    );
  }
  return {
    tutorial: basename(dirname(project)),
    work: dirname(project),
    project,
    pages: pages
      .filter((page) => folderOf(page, options) === project)
      .slice(-1)
      .flatMap((page) => pagesOfProject(pages, page)),
  };
}

/** Returns the pages that build the same project as `page`, in reading order, as `pagesUpTo` returns them. */
export function pagesOfProject(pages: readonly Page[], page: Page): Page[] {
  return pages
    .filter(
      (one) =>
        dirname(one.path) === dirname(page.path) && one.frontMatter.project === page.frontMatter.project,
    )
    .slice(-1)
    .flatMap(pagesUpTo);
}

/** Returns the path within the project for a path of the page, which begins with the project's name. */
export function projectPath(file: string): string {
  return file.split("/").slice(1).join("/");
}

/** Reads the text files of a project, as path relative to it → text. */
export function readProject(project: string): Map<string, string> {
  const files = existsSync(project) ? listFolder(project).filter((path) => !path.endsWith("/")) : [];
  return new Map(files.flatMap((path) => readIfThere(project, path)));
}

/** An editor may rename a file while the folder is read. */
function readIfThere(project: string, path: string): [string, string][] {
  try {
    return [[path, readFileSync(join(project, path), "utf8")]];
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function folderOf(page: Page, { workshops }: PlaceOptions): string {
  return join(workshops, basename(dirname(page.path)), page.frontMatter.project ?? "");
}

/** The learner's shell has the tutorial's folder in TUTORIAL. */
function tutorialOfShell({ env, root }: PlaceOptions): string | undefined {
  const folder = env.TUTORIAL ?? "";
  return dirname(folder) === join(root, "tutorials") ? basename(folder) : undefined;
}

/** A page may make its project itself, in the folder that `pnpm start` has made. */
function projectIn(projects: readonly string[]): string | undefined {
  return newestOf(projects) ?? projects.find((project) => existsSync(dirname(project)));
}

function newestOf(projects: readonly string[]): string | undefined {
  const dated = projects.filter(hasFiles).map((project) => ({ project, at: newestChange(project) }));
  return dated.sort((a, b) => b.at - a.at)[0]?.project;
}

function hasFiles(project: string): boolean {
  return existsSync(project) && readdirSync(project).length > 0;
}

function newestChange(project: string): number {
  const files = listFolder(project).map((path) => join(project, path));
  return Math.max(...[project, ...files].map((path) => statSync(path).mtimeMs));
}
