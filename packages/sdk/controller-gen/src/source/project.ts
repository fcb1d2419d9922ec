import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Problem } from "../problem.ts";
import { OptionError } from "../problem.ts";
import { readSource, type SourceFile } from "./source-file.ts";

/** The files that a run reads. */
export interface Project {
  /** A folder corresponds to a Go package: its types have one group and version. */
  readonly folders: readonly Folder[];
  /**
   * Returns a file by its absolute path, or undefined if it does not exist. Reads each file once, on first
   * use.
   */
  file(path: string): SourceFile | undefined;
  /** Returns the problems of all files read so far, such as syntax errors. */
  problems(): Problem[];
}

export interface Folder {
  /** Relative to the working directory. */
  readonly path: string;
  /** Absolute. */
  readonly root: string;
  /** Sorted by name. */
  readonly files: readonly SourceFile[];
}

/** Only these files declare API types. Markers of a package may be in any file. */
export const typesFile = /\.types\.ts$/;
const ignoredFile = /\.(?:test|spec|d)\.ts$|^zz_generated\./;
const ignoredFolder = /^(?:node_modules|dist|testdata|vendor)$|^[._]/;
const hasMarker = /^\s*(?:\/\/|\/\*\*?|\*)\s*\+[A-Za-z]/m;

/**
 * Opens the folders that match Go-style patterns: `./api` is one folder, `./api/...` includes all folders
 * below it.
 *
 * @param cwd absolute; patterns are relative to it
 * @throws OptionError if the path of a pattern does not exist
 */
export function openProject(patterns: readonly string[], cwd: string): Project {
  const cache = new Map<string, SourceFile | undefined>();
  const file = (path: string): SourceFile | undefined => {
    if (!cache.has(path)) {
      const text = readIfPresent(path);
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

/** Returns the TypeScript file of a relative import, which may have the ending `.ts`, `.js` or none. */
export function resolveImport(from: string, specifier: string): string {
  const path = resolve(dirname(from), specifier);
  return path.endsWith(".ts") ? path : `${path.replace(/\.js$/, "")}.ts`;
}

function expandPattern(pattern: string, cwd: string): string[] {
  const recursive = pattern === "..." || pattern.endsWith("/...");
  const path = resolve(cwd, recursive ? pattern.slice(0, -3) : pattern);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new OptionError(`paths=${pattern}: ${displayPath(path, cwd)} does not exist`);
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

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR") return undefined;
    throw error;
  }
}
