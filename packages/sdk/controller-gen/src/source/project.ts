import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { OptionError } from "../option-error.ts";
import type { Problem } from "../problem.ts";
import { readSource, type SourceFile } from "./source-file.ts";

/** The files that a run reads. */
export interface Project {
  /** A folder is what a package is in Go: its types have one group and version. */
  readonly folders: readonly Folder[];
  /** A file by its absolute path, read when it is asked for; undefined when it is not there. */
  file(path: string): SourceFile | undefined;
  /** Files with no TypeScript in them, so far. */
  problems(): Problem[];
}

export interface Folder {
  /** Relative to the working directory. */
  readonly path: string;
  /** Absolute. */
  readonly root: string;
  /** In the order of their names. */
  readonly files: readonly SourceFile[];
}

/** Only these hold API types; markers of a package may stand in any file. */
export const typesFile = /\.types\.ts$/;
const ignoredFile = /\.(?:test|spec|d)\.ts$|^zz_generated\./;
const ignoredFolder = /^(?:node_modules|dist|testdata|vendor)$|^[._]/;
const hasMarker = /^\s*(?:\/\/|\/\*\*?|\*)\s*\+[A-Za-z]/m;

/**
 * The folders of Go-style patterns: `./api` is one folder, `./api/...` it and all below it.
 *
 * @throws OptionError when a pattern names nothing that is there
 */
export function openProject(patterns: readonly string[], cwd: string): Project {
  const cache = new Map<string, SourceFile | undefined>();
  const file = (path: string): SourceFile | undefined => {
    if (!cache.has(path)) {
      const text = readIfThere(path);
      cache.set(path, text === undefined ? undefined : readSource(displayPath(path, cwd), text, path));
    }
    return cache.get(path);
  };
  const roots = new Set<string>();
  for (const pattern of patterns) for (const folder of expandPattern(pattern, cwd)) roots.add(folder);
  const folders = [...roots].sort().flatMap((root): Folder[] => {
    const files = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !ignoredFile.test(entry.name))
      .map(({ name }) => join(root, name))
      .filter((path) => typesFile.test(path) || hasMarker.test(readFileSync(path, "utf8")))
      .sort()
      .flatMap((path) => file(path) ?? []);
    return files.length === 0 ? [] : [{ path: displayPath(root, cwd), root, files }];
  });
  return {
    folders,
    file,
    problems: () => [...cache.values()].flatMap((source) => source?.problems ?? []),
  };
}

/** Where a relative import leads: to the TypeScript file, whichever ending it is written with. */
export function resolveImport(from: string, specifier: string): string {
  const path = resolve(dirname(from), specifier);
  return path.endsWith(".ts") ? path : `${path.replace(/\.js$/, "")}.ts`;
}

function expandPattern(pattern: string, cwd: string): string[] {
  const recursive = pattern === "..." || pattern.endsWith("/...");
  const path = resolve(cwd, recursive ? pattern.slice(0, -3) : pattern);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new OptionError(`paths=${pattern}: there is no ${displayPath(path, cwd)}`);
  if (stat.isFile()) return [dirname(path)];
  return recursive ? [path, ...foldersBelow(path)] : [path];
}

function foldersBelow(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !ignoredFolder.test(basename(entry.name)))
    .flatMap(({ name }) => [join(path, name), ...foldersBelow(join(path, name))]);
}

function displayPath(path: string, cwd: string): string {
  return relative(cwd, path).replaceAll("\\", "/") || ".";
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR") return undefined;
    throw error;
  }
}
