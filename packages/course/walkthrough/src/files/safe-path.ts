import { isAbsolute, relative, resolve } from "node:path";

/** A path of the page below the working folder. Throws an Error when it leads out of it. */
export function pathBelow(folder: string, path: string): string {
  const full = resolve(folder, path);
  const inside = relative(folder, full);
  if (inside.startsWith("..") || isAbsolute(inside))
    throw new Error(`"${path}" leads out of the learner's folder`);
  return full;
}
