import { statSync } from "node:fs";
import { registerHooks } from "node:module";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileVersion } from "./messages.ts";
import { withTypeScriptName } from "./missing-module.ts";

export interface ModuleRecords {
  /** Returns the versions of the files loaded so far. */
  versions(): FileVersion[];
}

/** Reports each module that this process loads from now on. */
export function recordModules(
  isInside: (path: string) => boolean,
  on: { loading(path: string): void; imported(url: string): void },
): ModuleRecords {
  const versions = new Map<string, FileVersion>();
  const imported = new Set<string>();

  // No `load` hook: in Node 22 it conflicts with the hooks of `module.register`, which tsx uses there.
  registerHooks({
    resolve(specifier, context, next) {
      const result = orExplain(() => next(specifier, context), specifier, context.parentURL);
      const from = pathOf(context.parentURL);
      const to = pathOf(result.url);
      if (!to) return result;
      if (!versions.has(to)) {
        versions.set(to, versionOf(to));
        on.loading(to);
      }
      if (from && isInside(from) && !isInside(to) && !imported.has(result.url)) {
        imported.add(result.url);
        on.imported(result.url);
      }
      return result;
    },
  });
  return { versions: () => [...versions.values()] };
}

function orExplain<T>(resolve: () => T, specifier: string, parentURL: string | undefined): T {
  try {
    return resolve();
  } catch (error) {
    throw withTypeScriptName(error, specifier, parentURL);
  }
}

/** Returns a function that tells whether a path is in one of the folders and outside their node_modules. */
export function insideOf(folders: readonly string[]): (path: string) => boolean {
  const modules = `${sep}node_modules${sep}`;
  return (path) =>
    folders.some(
      (folder) =>
        path === folder || (path.startsWith(folder + sep) && !path.includes(modules, folder.length)),
    );
}

/** Returns zeros when the file does not exist. */
export function versionOf(path: string): FileVersion {
  const { mtimeMs = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return [path, mtimeMs, size];
}

function pathOf(url: string | undefined): string | undefined {
  if (!url?.startsWith("file:")) return undefined;
  return fileURLToPath(url.replace(/[?#].*$/, ""));
}
