import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "@operator-path/cluster/private-file";
import { z } from "zod";

const schema = z.object({
  /** Of the learner's file, as the browser names it. */
  path: z.string(),
  text: z.string(),
  /** Version of the file on disk that the text began with. */
  version: z.string(),
});

/** A text in the editor that is not saved. */
export type Draft = z.infer<typeof schema>;

/**
 * The unsaved texts of a learner's files, one for each file: the newest. They survive a reload, a server that is
 * killed, and a new port, which would hide the browser's own storage.
 */
export interface Drafts {
  /** Returns the paths of the files that have a draft, sorted, after the changes on their way. */
  list(): Promise<string[]>;
  read(path: string): Promise<Draft | undefined>;
  /** Writes a draft in one atomic step. Changes follow one another. */
  write(draft: Draft): Promise<void>;
  remove(path: string): Promise<void>;
}

/** Opens a folder of drafts, which may not exist yet. A damaged draft counts as missing. */
export function openDrafts(folder: string): Drafts {
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work, work);
    return last;
  };
  // A path may contain what a file's name may not.
  const fileOf = (path: string): string =>
    join(folder, `${createHash("sha256").update(path).digest("hex").slice(0, 32)}.json`);
  return {
    async list() {
      await last.catch(() => {});
      const names = await readdir(folder).catch(() => []);
      const drafts = await Promise.all(
        names.filter((name) => name.endsWith(".json")).map((name) => readDraft(join(folder, name))),
      );
      return drafts.flatMap((draft) => (draft ? [draft.path] : [])).sort();
    },
    async read(path) {
      await last.catch(() => {});
      return readDraft(fileOf(path));
    },
    write: (draft) => inTurn(() => writePrivateFile(fileOf(draft.path), JSON.stringify(draft))),
    remove: (path) => inTurn(() => rm(fileOf(path), { force: true })),
  };
}

async function readDraft(file: string): Promise<Draft | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return undefined;
  }
}
