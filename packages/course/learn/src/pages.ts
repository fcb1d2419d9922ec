import { readdir, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { closestMatch } from "leven";

/** A page, and its name on the command line. */
export interface PageFile {
  /** `01-podbuggertool/1`, or only the tutorial's name if its README.md is its one page. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}

/** Returns every page of every tutorial, in reading order. */
export async function listPages(root: string): Promise<PageFile[]> {
  const tutorials = (await readdir(join(root, "tutorials"), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const pages = await Promise.all(tutorials.map((tutorial) => pagesOf(root, tutorial)));
  return pages.flat();
}

/** Returns the names of all pages, by path. */
export async function pageNames(root: string): Promise<ReadonlyMap<string, string>> {
  return new Map((await listPages(root)).map(({ path, name }) => [path, name]));
}

async function pagesOf(root: string, tutorial: string): Promise<PageFile[]> {
  const folder = join(root, "tutorials", tutorial);
  const files = await readdir(folder);
  const numbered = files
    .map((file) => /^(\d+)-.*\.md$/.exec(file))
    .filter((match) => match !== null)
    .sort((a, b) => Number(a[1]) - Number(b[1]));
  if (numbered.length > 0) {
    return numbered.map((match) => ({ name: `${tutorial}/${match[1]}`, path: join(folder, match[0]) }));
  }
  return files.includes("README.md") ? [{ name: tutorial, path: join(folder, "README.md") }] : [];
}

/**
 * Returns the pages that the arguments name: a tutorial (`01-podbuggertool`), one of its pages
 * (`01-podbuggertool/1`), the path of a Markdown file, or a short name (`nginx`, `3`, `3/2`). Without names,
 * all pages.
 *
 * @throws UserError for an unknown name, and for a short name of several tutorials. It suggests a name
 */
export async function choosePages(names: readonly string[], root: string, cwd: string): Promise<PageFile[]> {
  const all = await listPages(root);
  if (names.length === 0) return all;
  const chosen = new Map<string, PageFile>();
  for (const name of names) {
    const known = all.filter((page) => answersTo(page, name, root, cwd));
    const exact = known.length > 0 ? known : await pageElsewhere(name, cwd);
    const found = exact.length > 0 ? exact : pagesOfShortName(name, all, root);
    if (found.length === 0) throw new UserError(`there is no page ${name}${suggestionFor(name, all, root)}`);
    for (const page of found) chosen.set(page.path, page);
  }
  const known = all.filter(({ path }) => chosen.has(path));
  return [...known, ...[...chosen.values()].filter((page) => !known.includes(page))];
}

/** Finds pages by the number or a part of the name of their tutorial: `3`, `nginx`, `nginx/2`. */
function pagesOfShortName(name: string, all: readonly PageFile[], root: string): PageFile[] {
  const [, wanted = "", number] = /^([\w-]+?)\/?(?:\/(\d+))?$/.exec(name) ?? [];
  if (wanted === "") return [];
  const matches = (tutorial: string): boolean =>
    /^\d+$/.test(wanted) ? Number.parseInt(tutorial, 10) === Number(wanted) : tutorial.includes(wanted);
  const tutorials = [...new Set(all.map((page) => tutorialOf(page, root)))].filter(matches);
  if (tutorials.length > 1)
    throw new UserError(`${name} is a part of several names: ${tutorials.join(", ")}`);
  return all.filter((page) => {
    const tutorial = tutorialOf(page, root);
    return tutorials.includes(tutorial) && (number === undefined || page.name === `${tutorial}/${number}`);
  });
}

function tutorialOf(page: PageFile, root: string): string {
  return relative(join(root, "tutorials"), page.path).split("/")[0] ?? "";
}

function suggestionFor(name: string, all: readonly PageFile[], root: string): string {
  const tutorials = [...new Set(all.map((page) => tutorialOf(page, root)))];
  const [wanted = "", number] = name.split("/");
  // People type a word of the name, without its number.
  const words = new Map(tutorials.flatMap((one) => one.split("-").map((word) => [word, one] as const)));
  const limit = { maxDistance: Math.ceil(wanted.length / 3) };
  // Every digit is close to every other one.
  const word = /^\d*$/.test(wanted)
    ? undefined
    : closestMatch(wanted, [...words.keys(), ...tutorials], limit);
  const tutorial = word && (words.get(word) ?? word);
  const pages = all.filter((page) => tutorialOf(page, root) === tutorial).map((page) => page.name);
  const near = pages.find((page) => page === `${tutorial}/${number}`) ?? tutorial;
  const known = pages.length > 0 ? pages : all.map((page) => page.name);
  return `${near ? `: did you mean ${near}? There are` : "; there are"} ${known.join(", ")}`;
}

/** A draft may be outside of the tutorials. */
async function pageElsewhere(name: string, cwd: string): Promise<PageFile[]> {
  const path = resolve(cwd, name);
  const isPage = name.endsWith(".md") && (await stat(path).catch(() => undefined))?.isFile();
  return isPage ? [{ name, path }] : [];
}

function answersTo(page: PageFile, name: string, root: string, cwd: string): boolean {
  const wanted = name.replace(/\/+$/, "").replace(/^(\.\/)?tutorials\//, "");
  const file = relative(join(root, "tutorials"), page.path);
  const tutorial = file.split("/")[0];
  const short = [page.name, tutorial, file, file.replace(/\.md$/, "")];
  return short.includes(wanted) || resolve(cwd, name) === page.path;
}

/** Returns the path relative to `cwd`, for messages. Absolute if it is more than one folder above `cwd`. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" ? basename(path) : /^\.\.$|^\.\.\/\.\./.test(short) ? path : short;
}
