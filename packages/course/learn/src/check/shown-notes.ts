import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const schema = z.array(z.string());

/**
 * Returns the notes that `check` has not shown yet for a tutorial, and remembers them in a file as shown.
 *
 * @param folder of the learner's tutorial
 */
export async function notShownBefore(notes: readonly string[], folder: string): Promise<readonly string[]> {
  if (notes.length === 0) return notes;
  const shown = await readShown(folder);
  const unseen = notes.filter((note) => !shown.includes(note));
  if (unseen.length === 0) return unseen;
  await mkdir(folder, { recursive: true });
  await writeFile(fileIn(folder), `${JSON.stringify([...shown, ...unseen], null, 2)}\n`);
  return unseen;
}

/** Forgets which notes were shown, for a learner who starts over. */
export async function forgetShownNotes(folder: string): Promise<void> {
  await rm(fileIn(folder), { force: true });
}

/** A missing or unreadable file only repeats notes. */
async function readShown(folder: string): Promise<readonly string[]> {
  const text = await readFile(fileIn(folder), "utf8").catch(() => "[]");
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

function fileIn(folder: string): string {
  return join(folder, "shown-notes.json");
}
