import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { type Budget, ChartError, type ChartFile, type ChartLimits, createBudget } from "./chart.ts";
import { realPath } from "./confined-path.ts";
import { readArchive } from "./read-archive.ts";
import { readFolder } from "./read-folder.ts";

/** Deeper than any real chart nests subcharts. */
const maximumDepth = 10;

/**
 * Returns the files of a chart (a folder or a .tgz) that helm stores in a release, sorted by name. Checks
 * archives in charts/, too, within the same limits. Writes nothing.
 *
 * @param limits overrides of the default limits
 * @throws ChartError when the chart is missing, invalid or too large
 */
export async function readChartFiles(path: string, limits?: Partial<ChartLimits>): Promise<ChartFile[]> {
  return (await readChart(path, limits)).files;
}

/** Also returns whether the chart, or a subchart, has a crds/ folder with manifests. */
export async function readChart(
  path: string,
  limits?: Partial<ChartLimits>,
): Promise<{ files: ChartFile[]; crds: boolean }> {
  const budget = createBudget(path, limits);
  const files = await readWhole(path, budget).catch((error: NodeJS.ErrnoException) => {
    // Report an error of the file system by its code.
    throw error.code === undefined ? error : new ChartError(`${path} cannot be read: ${error.code}`);
  });
  files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { files, crds: await checkSubcharts(path, files, budget, 0) };
}

async function readWhole(path: string, budget: Budget): Promise<ChartFile[]> {
  const found = await stat(await realPath(path));
  if (found.isDirectory()) return readFolder(path, budget);
  if (!found.isFile()) throw new ChartError(`${path} is neither a folder nor a .tgz file`);
  const { totalBytes } = budget.limits;
  if (found.size > totalBytes)
    throw new ChartError(`${path} has more than ${totalBytes} bytes: is it a chart?`);
  return readArchive(path, createReadStream(path), budget);
}

/** Returns whether there are CRDs. Rejects invalid archives in charts/. */
async function checkSubcharts(
  chart: string,
  files: readonly ChartFile[],
  budget: Budget,
  depth: number,
): Promise<boolean> {
  if (depth > maximumDepth)
    throw new ChartError(`${chart}: subcharts are nested deeper than ${maximumDepth}`);
  let crds = files.some(({ name }) => /^crds\/.*\.(?:ya?ml|json)$/is.test(name));
  for (const [name, inner] of subcharts(files)) {
    const place = `${chart}/charts/${name}`;
    const [first] = inner;
    if (name.endsWith(".tgz") && first !== undefined && first.name === "") {
      const unpacked = await readArchive(place, Readable.from([first.data]), budget);
      crds = (await checkSubcharts(place, unpacked, budget, depth + 1)) || crds;
    } else crds = (await checkSubcharts(place, inner, budget, depth + 1)) || crds;
  }
  return crds;
}

/**
 * Returns what is in charts/, by its first name there; an archive's own name is "". As in helm, names that
 * begin with _ or a dot do not count.
 */
function subcharts(files: readonly ChartFile[]): Map<string, ChartFile[]> {
  const found = new Map<string, ChartFile[]>();
  for (const file of files) {
    const match = /^charts\/([^/]+)\/?(.*)$/s.exec(file.name);
    const [, name = "", rest = ""] = match ?? [];
    if (match === null || /^[_.]/.test(name) || file.name.endsWith(".prov")) continue;
    const inner = { name: rest, data: file.data };
    const before = found.get(name);
    if (before) before.push(inner);
    else found.set(name, [inner]);
  }
  return found;
}

/** Returns a SHA-256 of names and bytes, in hexadecimal. Lengths keep neighbours apart. */
export function filesDigest(files: readonly ChartFile[]): string {
  const hash = createHash("sha256");
  for (const { name, data } of files) {
    hash.update(`${Buffer.byteLength(name)}:${name}:${data.length}:`).update(data);
  }
  return hash.digest("hex");
}
