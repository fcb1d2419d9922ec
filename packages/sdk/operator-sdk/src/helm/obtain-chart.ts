import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { ChartError, type ChartFile, loadChart, readChartFiles } from "@operator-path/helm-operator";
import { CommandError } from "../command-error.ts";
import { oneLine } from "../one-line.ts";
import { withPackedCharts } from "./packed-charts.ts";
import { type HelmProgram, HelmRefusal, runHelm } from "./run-helm.ts";

export type { ChartFile };

/** Where a chart is to come from. */
export interface ChartFlags {
  /** A folder, a .tgz, `<repository>/<chart>`, a URL (https:, oci:), or a name in `helmChartRepo`. Default: a new one. */
  helmChart?: string;
  /** URL of a repository. */
  helmChartRepo?: string;
  /** Default: the newest. */
  helmChartVersion?: string;
}

/** A chart that has been read and checked, before anything of it is in the project. */
export interface ObtainedChart {
  /** Of its Chart.yaml; a name that a folder can have. */
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether it has a crds/ folder. */
  readonly crds: boolean;
  /** Where it is, when it is in the project's helm-charts already: then it stays there. From the project's folder. */
  readonly folder?: string;
  /** Absolute, of what has been read. */
  readonly path: string;
  readonly files: readonly ChartFile[];
  /** Those, and what is in archives in its charts/. */
  readonly allFiles: readonly ChartFile[];
}

export interface ObtainOptions {
  readonly helm: HelmProgram;
  /** The project's folder: paths are relative to it. */
  readonly cwd: string;
  /** What may be written to. */
  readonly scratch: string;
  /** Of the chart that `helm create` makes where none is named. */
  readonly newName: string;
}

/**
 * Reads the chart that flags name, with all the checks of `loadChart`: links and names that lead out of it, archives that
 * unpack without end. What comes from a repository is pulled into the scratch folder, as an archive, first.
 *
 * @throws CommandError in one line
 */
export async function obtainChart(flags: ChartFlags, options: ObtainOptions): Promise<ObtainedChart> {
  const path = await locate(flags, options);
  try {
    const folder = folderInProject(path, options.cwd);
    // One that stays where it is has to be where the operator will find it, too.
    const { name, values, crds } = await (folder === undefined
      ? loadChart(path)
      : loadChart(folder, { within: options.cwd }));
    // It becomes a folder, and an entry of watches.yaml.
    if (!/^[A-Za-z0-9][-A-Za-z0-9._]*$/.test(name)) {
      throw new CommandError(
        `the chart's name ${JSON.stringify(name)} cannot be a folder's here: letters, digits, "-", "." and "_" can; nothing was written`,
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

/** @returns the path of a folder or an archive */
async function locate(flags: ChartFlags, { helm, cwd, scratch, newName }: ObtainOptions): Promise<string> {
  const { helmChart, helmChartRepo, helmChartVersion } = flags;
  if (helmChart === undefined) {
    await refusing("helm create", () => runHelm(helm, ["create", newName], scratch));
    return join(scratch, newName);
  }
  const local = resolve(cwd, helmChart);
  const isRemote = helmChartRepo !== undefined || helmChart.includes("://");
  if (!isRemote && (existsSync(local) || !/^[^./\\][^/\\]*\/[^/\\]+$/.test(helmChart))) {
    if (helmChartVersion === undefined) return local;
    throw new CommandError(
      `--helm-chart-version ${helmChartVersion} is of a chart in a repository, and ${helmChart} is a path: leave it out; nothing was written`,
    );
  }
  const from = [
    ...(helmChartRepo === undefined ? [] : [`--repo=${helmChartRepo}`]),
    ...(helmChartVersion === undefined ? [] : [`--version=${helmChartVersion}`]),
  ];
  const what = isRemote ? `helm pull ${helmChart}` : `there is no ${helmChart} here, and helm pull has none`;
  // What repositories that the person has added hold is in their own cache.
  const program = isRemote ? helm : { path: helm.path, env: helm.env };
  await refusing(what, () => runHelm(program, ["pull", ...from, "--", helmChart], scratch));
  const archive = readdirSync(scratch).find((name) => name.endsWith(".tgz"));
  if (archive === undefined) {
    throw new CommandError(`helm pull ${helmChart} brought no archive: is it a chart? nothing was written`);
  }
  return join(scratch, archive);
}

/** Of a chart in the project's helm-charts, relative; also of an archive there. */
function folderInProject(path: string, cwd: string): string | undefined {
  const between = relative(cwd, path).replaceAll("\\", "/");
  return between.startsWith("helm-charts/") ? between : undefined;
}

async function refusing(what: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof HelmRefusal)) throw error;
    throw new CommandError(`${what}: ${error.message}; nothing was written`);
  }
}
