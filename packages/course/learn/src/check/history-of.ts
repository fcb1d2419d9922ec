import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { writePrivateFile } from "@operator-path/cluster/private-file";
import { UserError } from "@operator-path/cluster/user-error";
import {
  formatHistory,
  listFolder,
  PageFailure,
  type ProjectHistory,
  parseHistory,
  recordHistory,
} from "@operator-path/walkthrough";
import type { Place } from "./place.ts";

export interface HistoryOfOptions {
  /** The repository's root folder. */
  readonly root: string;
  readonly signal: AbortSignal;
  /** Called with what runs now, which may take seconds. */
  doing?(what: string): void;
}

/**
 * Writes the pages' projects block by block. Their commands scaffold and install, which takes seconds, so a file in
 * the learner's folder keeps the result until the repository changes. Throws UserError if a page does not apply.
 */
export async function historyOf(
  { pages, work, project }: Place,
  { root, signal, doing }: HistoryOfOptions,
): Promise<ProjectHistory> {
  const file = join(work, `.history-${basename(project)}.json`);
  const made = fingerprint(root, [...new Set(pages.map(({ path }) => dirname(path)))]);
  const [first, ...rest] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  const kept = first === made ? parseHistory(rest.join("\n"), pages) : undefined;
  if (kept) return kept;
  doing?.("reading the pages");
  try {
    const history = await recordHistory(pages, { root, signal });
    // Without the file, the next command only takes longer.
    await writePrivateFile(file, `${made}\n${formatHistory(history, pages)}`).catch(() => {});
    return history;
  } catch (error) {
    throw error instanceof PageFailure ? new UserError(error.message) : error;
  }
}

/** Returns a hash of all that pages, and the commands that they run, come from: paths, sizes and times of files. */
function fingerprint(root: string, tutorials: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of [...tutorials, join(root, "packages"), join(root, "pnpm-lock.yaml")]) {
    if (!existsSync(path)) continue;
    const files = statSync(path).isDirectory() ? listFolder(path).map((below) => join(path, below)) : [path];
    for (const one of files) {
      if (one.endsWith("/")) continue;
      const { size, mtimeMs } = statSync(one);
      hash.update(`${one} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest("hex");
}
