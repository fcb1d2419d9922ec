import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Page } from "../page/page.ts";

/** Folders that programs create. They are not read: their links lead to the whole workspace. */
const leftOut = new Set(["node_modules", "dist", ".turbo"]);

/**
 * Returns the files that a page could leave or change, each with a state that a write changes: the tutorial's
 * own folder, the person's kubeconfig, and every absolute path on the page. HOME and TMPDIR of a page are in
 * the run's folder.
 */
export function watchedFiles(page: Page): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (path: string): void => {
    if (!existsSync(path)) return;
    const stat = statSync(path);
    found.set(path, stat.isDirectory() ? "folder" : `${stat.mtimeMs} ${stat.size}`);
  };
  const addBelow = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (leftOut.has(entry.name)) continue;
      const path = join(folder, entry.name);
      add(path);
      if (entry.isDirectory()) addBelow(path);
    }
  };
  addBelow(dirname(resolve(page.path)));
  add(join(homedir(), ".kube/config"));
  for (const match of page.source.matchAll(
    /(?<![\w./:~$}"-])\/(?:tmp|home|root|etc|var|opt|srv|Users)\/[\w./-]+/g,
  ))
    add(match[0]);
  return found;
}

/** Describes new, changed and removed files, a line each. */
export function leakedFiles(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [
    ...[...after].filter(([path]) => !before.has(path)).map(([path]) => `file ${path}`),
    ...[...after]
      .filter(([path, state]) => before.has(path) && before.get(path) !== state)
      .map(([path]) => `changed file ${path}`),
    ...[...before.keys()].filter((path) => !after.has(path)).map((path) => `removed file ${path}`),
  ];
}
