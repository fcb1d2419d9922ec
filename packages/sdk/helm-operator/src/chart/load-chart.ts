import { join, resolve } from "node:path";
import type { Chart, ChartFile } from "./chart.ts";
import { ChartError } from "./chart-error.ts";
import { filesDigest, readChart } from "./chart-files.ts";
import { confinedPath } from "./confined-path.ts";
import { parseValues } from "./default-values.ts";
import type { ChartLimits } from "./limits.ts";
import { parseMetadata } from "./metadata.ts";
import { noChartIn } from "./read-folder.ts";

/** Options of {@link loadChart}. */
export interface LoadChartOptions {
  /** The folder that must contain the chart, and to which its path is relative. Default: any folder. */
  readonly within?: string | undefined;
  /** Limits for the chart. Default: those of {@link ChartLimits}. */
  readonly limits?: Partial<ChartLimits> | undefined;
}

/**
 * Reads a chart (a folder or a .tgz) into memory. Checks what helm would fail on, or should not see: names
 * and links that lead out of it, archives that unpack beyond the limits, a Chart.yaml without a name or a
 * version. Does not check templates: a dry run does that. Unpacks nothing to disk.
 *
 * @param path relative to `within`, or else to the working directory
 * @throws ChartError when the chart is missing, invalid or unsafe to read
 */
export async function loadChart(path: string, options: LoadChartOptions = {}): Promise<Chart> {
  const { within, limits } = options;
  const place = within === undefined ? resolve(path) : await confinedPath(resolve(within), path);
  const { files, crds } = await readChart(place, limits);
  const metadata = find(files, "Chart.yaml");
  if (metadata === undefined) {
    throw new ChartError(noChartIn(place));
  }
  const values = find(files, "values.yaml");
  return {
    path: place,
    ...parseMetadata(metadata, join(place, "Chart.yaml")),
    digest: filesDigest(files),
    values: values === undefined ? {} : parseValues(values, join(place, "values.yaml")),
    crds,
  };
}

function find(files: readonly ChartFile[], wanted: string): string | undefined {
  return files.find(({ name }) => name === wanted)?.data.toString("utf8");
}
