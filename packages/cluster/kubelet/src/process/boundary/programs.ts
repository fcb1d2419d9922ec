import { access, constants } from "node:fs/promises";
import { join } from "node:path";

const folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/**
 * Finds a program of the system by its name. Searches the system's own folders and not PATH, because the program runs
 * before there is a boundary.
 *
 * @returns its absolute path
 * @throws Error when it is not installed
 */
export async function findProgram(name: string): Promise<string> {
  for (const folder of folders) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new Error(`${name} is not installed`);
}
