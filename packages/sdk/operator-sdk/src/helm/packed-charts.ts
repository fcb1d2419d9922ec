import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ChartFile, readChartFiles } from "@operator-path/helm-operator";

/**
 * The files of a chart, with those of the archives in its charts/ as if they were folders there. `loadChart` has looked
 * through them, so there are not too many, nor too deep.
 *
 * @param scratch what may be written to
 */
export async function withPackedCharts(files: readonly ChartFile[], scratch: string): Promise<ChartFile[]> {
  const all = await Promise.all(
    files.map(async ({ name, data }) => {
      const [, chart] = /^(charts\/[^/]+)\.tgz$/.exec(name) ?? [];
      if (chart === undefined) return [{ name, data }];
      const archive = join(await mkdtemp(join(scratch, "packed-")), "chart.tgz");
      await writeFile(archive, data);
      const inner = await withPackedCharts(await readChartFiles(archive), scratch);
      return inner.map((file) => ({ name: `${chart}/${file.name}`, data: file.data }));
    }),
  );
  return all.flat();
}
