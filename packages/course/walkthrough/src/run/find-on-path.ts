import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** The program that a shell would start, as an absolute path without links, or undefined. */
export function findOnPath(name: string, path: string): string | undefined {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      // A link is kept when its name matters to the program (busybox); otherwise it is the same file.
      if (statSync(file).isFile())
        return realpathSync(folder) === folder ? file : join(realpathSync(folder), name);
    } catch {
      // Not here: the next folder.
    }
  }
  return undefined;
}
