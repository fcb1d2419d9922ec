import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Page } from "../page/page.ts";

/** What programs make and nobody commits. Never looked into: what is linked there is the whole workspace. */
const leftOut = new Set(["node_modules", "dist", ".turbo"]);

/**
 * Files that a page could leave, each with what would be different had it been written: the tutorial's own folder, the
 * person's kubeconfig, and every absolute path that the page's text names. (HOME and TMPDIR of a page lie in the run's
 * folder.)
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

/** What is there, changed or gone, in words. */
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
