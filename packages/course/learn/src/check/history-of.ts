import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { writePrivateFile } from "@operator-path/cluster/private-file";
import { UserError } from "@operator-path/cluster/user-error";
import { findTool } from "@operator-path/tools";
import {
  formatHistory,
  listFolder,
  PageFailure,
  type ProjectHistory,
  parseHistory,
  recordHistory,
} from "@operator-path/walkthrough";
import type { Place } from "./place.ts";
import type { CheckOptions } from "./where-learner-is.ts";

/**
 * Writes the pages' projects block by block. Their commands scaffold and install, which takes seconds. So the result
 * is kept in a file beside the learner's project, until the pages, the packages, helm or Node change. Calls `doing`
 * only if it runs the commands. Throws UserError if a page does not apply.
 */
export async function historyOf(
  place: Place,
  { root, signal, doing }: Pick<CheckOptions, "root" | "signal" | "doing">,
): Promise<ProjectHistory> {
  const { pages, work, project } = place;
  const file = join(work, `.history-${basename(project)}.json`);
  const sources = await hashOfSources(place, root).catch(() => undefined);
  const [storedSources, stored = ""] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  const known = sources !== undefined && storedSources === sources ? parseHistory(stored, pages) : undefined;
  if (known) return known;
  doing?.("reading the pages");
  try {
    const history = await recordHistory(pages, { root, signal });
    // Without the file, the next command only takes longer.
    if (sources !== undefined)
      await writePrivateFile(file, `${sources}\n${formatHistory(history, pages)}`).catch(() => {});
    return history;
  } catch (error) {
    throw error instanceof PageFailure ? new UserError(error.message) : error;
  }
}

/**
 * Returns a hash of the pages' text, and of the sizes and times of the files that their commands may read: those of
 * their tutorials, of the packages, and helm. Rejects if a file vanishes meanwhile.
 */
async function hashOfSources({ pages }: Place, root: string): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  for (const { source } of pages) hash.update(source);
  const charts = pages.some(({ frontMatter }) => frontMatter.requires.includes("helm"));
  const folders = [...pages.map(({ path }) => dirname(path)), join(root, "packages")];
  const files = [...new Set(folders)].flatMap((folder) =>
    listFolder(folder)
      .filter((path) => !path.endsWith("/"))
      .map((path) => join(folder, path)),
  );
  files.push(join(root, "pnpm-lock.yaml"), ...(charts ? [(await findTool("helm")).path] : []));
  for (const path of files) {
    // A link may lead nowhere, such as an editor's lock.
    const { size, mtimeMs } = lstatSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}
