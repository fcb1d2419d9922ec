import { existsSync, readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

/**
 * Files of packages that TypeScript has named as the place of a definition. A browser reads them by a number, so
 * that it neither learns nor chooses a path of this machine.
 */
export interface LibraryFiles {
  /** Returns the browser's URI for a file. Undefined: it belongs to no package. */
  uriOf(path: string): string | undefined;
  /** Returns a file's text. Undefined if it has no such number. */
  read(id: number): Promise<string | undefined>;
}

/** The library of the browser's own types has 2 MB. */
const mostBytes = 4_000_000;
const mostFiles = 1000;

export function createLibraryFiles(): LibraryFiles {
  const paths: string[] = [];
  return {
    uriOf(path) {
      const name = nameInPackage(path);
      if (name === undefined) return undefined;
      const known = paths.indexOf(path);
      if (known === -1 && paths.length >= mostFiles) return undefined;
      const id = known === -1 ? paths.push(path) - 1 : known;
      return `library:///${id}/${name.split("/").map(encodeURIComponent).join("/")}`;
    },
    async read(id) {
      const path = paths[id];
      if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
        return undefined;
      return statSync(path).size > mostBytes ? undefined : readFile(path, "utf8");
    },
  };
}

/** Returns `PACKAGE/PATH` of a TypeScript file in a package. */
function nameInPackage(path: string): string | undefined {
  if (!/\.[cm]?tsx?$/.test(path)) return undefined;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    const { name } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly name?: string };
    if (name !== undefined) return `${name}/${relative(folder, path).split(sep).join("/")}`;
  }
  return undefined;
}
