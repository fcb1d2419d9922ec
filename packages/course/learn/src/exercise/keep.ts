import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";

/**
 * Saves what a learner wrote under an unused name: `size.ts`, `size-2.ts`. Returns the path.
 *
 * @param folder is created if it is missing
 */
export async function keepAttempt(folder: string, file: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const extension = extname(file);
  const name = basename(file, extension);
  let path = join(folder, `${name}${extension}`);
  for (let count = 2; existsSync(path); count++) path = join(folder, `${name}-${count}${extension}`);
  await writeFile(path, text, { flag: "wx" });
  return path;
}
