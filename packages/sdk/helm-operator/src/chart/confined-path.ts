import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep, win32 } from "node:path";
import { ChartError } from "./chart.ts";

/**
 * Returns a relative path as an absolute one, if it exists and stays within `root`, even through links. Does
 * not resolve links within the root: they may be changed later.
 *
 * @throws ChartError that prints the path
 */
export async function confinedPath(root: string, path: string): Promise<string> {
  if (isAbsolute(path) || win32.isAbsolute(path)) {
    throw new ChartError(`chart ${path} is an absolute path: write it relative to ${root}`);
  }
  const absolute = resolve(root, path);
  if (!isWithin(root, absolute)) {
    throw new ChartError(`chart ${path} leads out of ${root}: copy the chart into it`);
  }
  const real = await realPath(absolute);
  if (!isWithin(await realpath(root), real)) {
    throw new ChartError(
      `chart ${path} leads through a link to ${real}, outside ${root}: copy the chart into it`,
    );
  }
  return absolute;
}

/** Returns the path without links. @throws ChartError when nothing exists there */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ELOOP") throw new ChartError(`${path} is a link that leads back to itself`);
    if (code !== "ENOENT" && code !== "ENOTDIR")
      throw new ChartError(`${path} cannot be read: ${code || error}`);
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    if (isLink) throw new ChartError(`${path} is a link to a missing file`);
    throw new ChartError(
      `there is no chart at ${path}: a chart is a folder with a Chart.yaml, or a .tgz file (helm pull downloads one)`,
    );
  }
}

/** Returns whether a path is the folder, or in it. Both are absolute. */
export function isWithin(folder: string, path: string): boolean {
  const between = relative(folder, path);
  return between !== ".." && !between.startsWith(`..${sep}`) && !isAbsolute(between);
}
