import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Budget, ChartError, type ChartFile } from "./chart.ts";
import { isWithin, realPath } from "./confined-path.ts";
import { type IgnoreRules, parseIgnoreRules } from "./helm-ignore.ts";

/**
 * Returns the files of a chart's folder, without those that its .helmignore names. Follows links, as helm
 * does, but never out of the folder.
 *
 * @throws ChartError
 */
export async function readFolder(chart: string, budget: Budget): Promise<ChartFile[]> {
  const root = await realPath(chart);
  const names = await readdir(root);
  // Check this before looking at the rest, which may be anything, such as a whole disk.
  if (!names.includes("Chart.yaml")) throw new ChartError(noChartIn(chart));
  const ignored = names.includes(".helmignore")
    ? await readRules(chart, root, budget)
    : parseIgnoreRules("", "");
  const files: ChartFile[] = [];
  await walk(root, "", [root]);
  return files;

  /** @param above the real paths of the folders around this one: a link to one of them would never end */
  async function walk(folder: string, prefix: string, above: readonly string[]): Promise<void> {
    for (const name of (await readdir(folder)).sort()) {
      const path = join(folder, name);
      const inner = prefix + name;
      const found = await stat(path).catch(() => undefined);
      if (ignored(inner, found?.isDirectory() ?? false)) continue;
      const real = await confined(chart, root, path, inner);
      const { size } = found ?? { size: 0 };
      if (found?.isDirectory()) {
        budget.take(inner, 0);
        if (above.includes(real))
          throw new ChartError(`${chart}: ${inner} is a link to a folder that contains it`);
        await walk(real, `${inner}/`, [...above, real]);
      } else if (found?.isFile()) {
        budget.take(inner, size);
        files.push({ name: inner, data: withoutMark(await readFile(real)) });
      } else
        throw new ChartError(`${chart}: ${inner} is neither a file nor a folder: remove it from the chart`);
    }
  }
}

async function readRules(chart: string, root: string, budget: Budget): Promise<IgnoreRules> {
  const real = await confined(chart, root, join(root, ".helmignore"), ".helmignore");
  const found = await stat(real);
  if (!found.isFile()) throw new ChartError(`${chart}: .helmignore is not a file`);
  budget.take(".helmignore", found.size);
  return parseIgnoreRules(await readFile(real, "utf8"), join(chart, ".helmignore"));
}

/** Returns the real path. @throws ChartError when it is outside the chart */
async function confined(chart: string, root: string, path: string, name: string): Promise<string> {
  const real = await realPath(path);
  if (isWithin(root, real)) return real;
  throw new ChartError(`${chart}: ${name} is a link to ${real}, outside the chart: replace it with a copy`);
}

export function noChartIn(place: string): string {
  return `${place} has no Chart.yaml: is it a chart, or the folder that contains one?`;
}

/** helm stores files without a byte order mark. */
export function withoutMark(data: Buffer): Buffer {
  return data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data;
}
