import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Remembers in a file of the learner's folder how many hints of each exercise were shown. */
export interface ShownHints {
  /** Returns how many hints of an exercise were shown. */
  count(exercise: string): number;
  save(exercise: string, count: number): Promise<void>;
}

/** @param folder is created by `save` if it is missing */
export async function readHints(folder: string): Promise<ShownHints> {
  const file = join(folder, "hints.json");
  const text = await readFile(file, "utf8").catch(() => "{}");
  const shown = new Map(Object.entries(countsIn(text)));
  return {
    count: (exercise) => shown.get(exercise) ?? 0,
    async save(exercise, count) {
      shown.set(exercise, count);
      await mkdir(folder, { recursive: true });
      await writeFile(file, `${JSON.stringify(Object.fromEntries(shown), null, 2)}\n`);
    },
  };
}

/** An unreadable file only loses which hints were shown. */
function countsIn(text: string): Record<string, number> {
  try {
    return JSON.parse(text) as Record<string, number>;
  } catch {
    return {};
  }
}
