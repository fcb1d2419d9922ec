import { join, resolve } from "node:path";
import type { Chart, ChartFile } from "./chart.ts";
import { ChartError } from "./chart-error.ts";
import { filesDigest, readChart } from "./chart-files.ts";
import { confinedPath } from "./confined-path.ts";
import { parseValues } from "./default-values.ts";
import type { ChartLimits } from "./limits.ts";
import { parseMetadata } from "./metadata.ts";
import { noChartIn } from "./read-folder.ts";

export interface LoadChartOptions {
  /** The folder that the chart has to be in, and that its path is relative to. Default: anywhere. */
  readonly within?: string | undefined;
  readonly limits?: Partial<ChartLimits> | undefined;
}

/**
 * Reads a chart, a folder or a .tgz, into memory, and checks what helm would stumble over or should not see: names and
 * links that lead out of it, archives that unpack beyond the limits, a Chart.yaml without a name or a version. Templates
 * are not looked at: that is what a dry run is for. Nothing is unpacked to disk.
 *
 * @param path relative to `within`, or else to the working directory
 * @throws ChartError
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
