import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * Returns every executable file called `name` on the PATH of `env`, in order. Returns a file once even if two
 * directories link to it. Skips relative and empty entries, because the result must not depend on the current
 * folder.
 */
export async function executablesOnPath(name: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const found: string[] = [];
  const seen = new Set<string>();
  for (const directory of (env.PATH ?? "").split(delimiter)) {
    if (!isAbsolute(directory)) continue;
    const path = join(directory, name);
    if (!(await isExecutable(path))) continue;
    const real = await realpath(path);
    if (!seen.has(real)) found.push(path);
    seen.add(real);
  }
  return found;
}

/** Whether `path` is a file that this user may execute. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
