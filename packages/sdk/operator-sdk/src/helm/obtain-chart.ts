import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { ChartError, type ChartFile, loadChart, readChartFiles } from "@operator-path/helm-operator";
import { CommandError, oneLine } from "../command-error.ts";
import { HelmError, type HelmProgram, runHelm } from "./run-helm.ts";

export type { ChartFile };

/** The flags that select a chart. */
export interface ChartFlags {
  /**
   * A folder, a .tgz, `<repository>/<chart>`, a URL (https:, oci:), or a name in `helmChartRepo`. Default: a
   * new chart.
   */
  helmChart?: string;
  /** The URL of a repository. */
  helmChartRepo?: string;
  /** Default: the newest version. */
  helmChartVersion?: string;
}

/** A chart that has been read and checked, but is not in the project yet. */
export interface ObtainedChart {
  /** The name in Chart.yaml, which is also a valid name of a folder. */
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether it has a crds/ folder. */
  readonly crds: boolean;
  /** The chart's folder relative to the project, if it is already in helm-charts. It then stays there. */
  readonly folder?: string;
  /** Absolute path of the chart. */
  readonly path: string;
  readonly files: readonly ChartFile[];
  /** `files`, and the files in the archives in charts/. */
  readonly allFiles: readonly ChartFile[];
}

export interface ObtainOptions {
  readonly helm: HelmProgram;
  /** The project's folder. Paths are relative to it. */
  readonly cwd: string;
  /** A temporary folder. */
  readonly scratch: string;
  /** The name of a new chart. */
  readonly newName: string;
}

/**
 * Reads the chart that the flags select, with all checks of `loadChart`: links and names that lead out of the
 * chart, and archives that are too large. Pulls a chart from a repository into the temporary folder first.
 *
 * @throws CommandError if the chart is missing or invalid
 */
export async function obtainChart(flags: ChartFlags, options: ObtainOptions): Promise<ObtainedChart> {
  const path = await locate(flags, options);
  try {
    const folder = folderInProject(path, options.cwd);
    // A chart that stays in its place must be inside the project, where the operator finds it.
    const { name, values, crds } = await (folder === undefined
      ? loadChart(path)
      : loadChart(folder, { within: options.cwd }));
    // The name becomes a folder and an entry of watches.yaml.
    if (!/^[A-Za-z0-9][-A-Za-z0-9._]*$/.test(name)) {
      throw new CommandError(
        `the chart's name ${JSON.stringify(name)} cannot be the name of its folder (expected letters, digits, "-", "." and "_"): rename the chart; nothing was written`,
      );
    }
    const files = await readChartFiles(path);
    const allFiles = await withPackedCharts(files, options.scratch);
    return { name, values, crds, path, files, allFiles, ...(folder && { folder }) };
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    throw new CommandError(`${oneLine(error.message)}; nothing was written`);
  }
}

/** Returns the path of the chart's folder or archive. Creates or pulls the chart if necessary. */
async function locate(flags: ChartFlags, { helm, cwd, scratch, newName }: ObtainOptions): Promise<string> {
  const { helmChart, helmChartRepo, helmChartVersion } = flags;
  if (helmChart === undefined) {
    await reportHelmError("helm create", () => runHelm(helm, ["create", newName], scratch));
    return join(scratch, newName);
  }
  const local = resolve(cwd, helmChart);
  const isRemote = helmChartRepo !== undefined || helmChart.includes("://");
  if (!isRemote && (existsSync(local) || !/^[^./\\][^/\\]*\/[^/\\]+$/.test(helmChart))) {
    if (helmChartVersion === undefined) return local;
    throw new CommandError(
      `--helm-chart-version ${helmChartVersion} is only for a chart in a repository, but ${helmChart} is a path: remove the flag; nothing was written`,
    );
  }
  const from = [
    ...(helmChartRepo === undefined ? [] : [`--repo=${helmChartRepo}`]),
    ...(helmChartVersion === undefined ? [] : [`--version=${helmChartVersion}`]),
  ];
  const what = isRemote
    ? `helm pull ${helmChart}`
    : `${helmChart} does not exist here, and helm pull does not find it`;
  // The index of a repository that the user has added is in the user's own cache.
  const program = isRemote ? helm : { path: helm.path, env: helm.env };
  await reportHelmError(what, () => runHelm(program, ["pull", ...from, "--", helmChart], scratch));
  const archive = readdirSync(scratch).find((name) => name.endsWith(".tgz"));
  if (archive === undefined) {
    throw new CommandError(
      `helm pull ${helmChart} wrote no archive: check that it is a chart; nothing was written`,
    );
  }
  return join(scratch, archive);
}

/**
 * Returns the relative path of a folder or archive in the project's helm-charts, or undefined for another
 * path.
 */
function folderInProject(path: string, cwd: string): string | undefined {
  const between = relative(cwd, path).replaceAll("\\", "/");
  return between.startsWith("helm-charts/") ? between : undefined;
}

/** Runs helm. @throws CommandError instead of a HelmError */
async function reportHelmError(what: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof HelmError)) throw error;
    throw new CommandError(`${what}: ${error.message}; nothing was written`);
  }
}

/**
 * Returns the files of a chart, including those in the archives in charts/, as if the archives were folders.
 * `loadChart` has already limited their number and depth.
 *
 * @param scratch a temporary folder
 */
async function withPackedCharts(files: readonly ChartFile[], scratch: string): Promise<ChartFile[]> {
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
