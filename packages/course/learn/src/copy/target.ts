import { mkdir, readdir, realpath, rmdir, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";

/**
 * Checks that a folder can take a copy. Folders above it may be missing.
 *
 * @param target absolute
 * @throws UserError if the folder is inside the repository, is not empty, or cannot be created
 */
export async function checkTarget(target: string, root: string): Promise<void> {
  const inside = relative(await realpath(root), await realPlace(target));
  if (!inside.startsWith("..") && !isAbsolute(inside)) {
    throw new UserError(`${target} is inside the repository: put your copy elsewhere (../my-operator)`);
  }
  const there = await stat(target).catch(() => undefined);
  if (there && !there.isDirectory()) throw new UserError(`${target} already exists, and is not a folder`);
  if (there && (await readdir(target)).length > 0) {
    throw new UserError(`${target} already exists, and is not empty: choose another folder`);
  }
}

/** Returns the place of `path`, which may not exist yet, without links. */
async function realPlace(path: string): Promise<string> {
  const parent = dirname(path);
  try {
    const place = await realpath(parent);
    if (!(await stat(place)).isDirectory())
      throw new UserError(`${parent} is not a folder: put the copy elsewhere`);
    return join(place, basename(path));
  } catch (error) {
    if (error instanceof UserError || parent === path) throw error;
    return join(await realPlace(parent), basename(path));
  }
}

/**
 * Creates the missing folders above `target`.
 *
 * @returns a function that removes those folders again if they are empty
 * @throws UserError if a folder cannot be created
 */
export async function makeParents(target: string): Promise<() => Promise<void>> {
  const parent = dirname(target);
  const first = await mkdir(parent, { recursive: true }).catch((error: Error) => {
    throw new UserError(`${parent} cannot be created: ${error.message}`);
  });
  return async () => {
    if (first === undefined) return;
    for (let folder = parent; folder.startsWith(first); folder = dirname(folder)) {
      try {
        await rmdir(folder);
      } catch {
        // The folder has files of another program, so it stays.
        return;
      }
    }
  };
}
