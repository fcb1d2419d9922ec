import { join } from "node:path";
import { loadWatches, type Watch, WatchesError } from "@operator-path/helm-operator";
import { CommandError, oneLine } from "../command-error.ts";
import { formatGoYaml } from "../helm/go-yaml.ts";
import type { ObtainedChart } from "../helm/obtain-chart.ts";
import type { KindNames } from "../project/kind-names.ts";
import type { Project } from "../project/project-file.ts";
import { addToCrds, addToDefault, addToSamples } from "./kustomizations.ts";
import { insertAt } from "./markers.ts";
import { renderSet } from "./templates.ts";
import type { Tree } from "./tree.ts";

export interface HelmApi {
  readonly names: KindNames;
  /** Name of the sample object. */
  readonly sample: string;
  readonly project: Project;
  readonly chart: ObtainedChart;
  /** Lines for config/rbac/helm_role.yaml. */
  readonly rules: string;
  /** The existing entries of watches.yaml. */
  readonly watches: readonly Watch[];
}

/**
 * Adds the files of a Helm API: chart, watch, CRD, sample, roles for users and permissions for the operator.
 */
export function addHelmApi(tree: Tree, api: HelmApi): void {
  const { names, sample, project, chart, rules } = api;
  const folder = chart.folder ?? `helm-charts/${chart.name}`;
  checkIsNew(tree, api, folder);
  if (chart.folder === undefined) {
    for (const { name, data } of chart.files) tree.create(`${folder}/${name}`, data);
  }
  const view = { ...names, namespaced: true, sample, projectName: project.projectName };
  const spec = formatSpec(chart.values, `${folder}/values.yaml`);
  for (const { path, text } of renderSet("helm-api", { ...view, spec })) tree.create(path, text);
  for (const { path, text } of renderSet("api", view)) {
    if (path.startsWith("config/rbac/")) tree.create(path, text);
  }
  const { fullGroup, plural, group, version, kind, kindLower, roleFile } = names;
  insertAt(
    tree,
    watchesFile,
    "watch",
    `- group: ${fullGroup}\n  version: ${version}\n  kind: ${kind}\n  chart: ${folder}`,
  );
  addToCrds(tree, `bases/${fullGroup}_${plural}.yaml`, { hybrid: true });
  addToSamples(tree, `${group}_${version}_${kindLower}.yaml`);
  addToDefault(tree, roleFile);
  insertAt(tree, "config/rbac/helm_role.yaml", "rules", rules);
}

function checkIsNew(tree: Tree, { names, watches, chart }: HelmApi, folder: string): void {
  const { fullGroup, version, kind } = names;
  if (watches.some((one) => one.group === fullGroup && one.version === version && one.kind === kind)) {
    throw new CommandError(
      `${watchesFile} already has an entry for ${fullGroup}/${version}, Kind=${kind}, and a kind can have only one chart: remove the entry first; nothing was written`,
    );
  }
  if (chart.folder !== undefined || tree.read(`${folder}/Chart.yaml`) === undefined) return;
  throw new CommandError(
    `${folder} already exists: move it away, or use it with --helm-chart ${folder}; nothing was written`,
  );
}

/** Returns the spec of the sample, with sorted keys as in Operator SDK. */
function formatSpec(values: ObtainedChart["values"], file: string): string {
  const text = formatGoYaml({ spec: values }, { sorted: true });
  return text.replace(/^spec:\n/, `spec:\n  # Default values copied from <project_dir>/${file}\n`);
}

export const watchesFile = "watches.yaml";

/**
 * Reads the watches.yaml of a project, with the checks that the operator does when it starts.
 *
 * @throws CommandError in one line that names all mistakes
 */
export async function readWatches(tree: Tree, cwd: string): Promise<Watch[]> {
  if (tree.read(watchesFile) === undefined) {
    throw new CommandError(`${watchesFile} is missing: restore it from git`);
  }
  try {
    return await loadWatches(join(cwd, watchesFile));
  } catch (error) {
    if (!(error instanceof WatchesError)) throw error;
    const problems = error.problems.map(({ line, entries, message }) => {
      const place = entries.map((index) => `[${index}]`).join(" and ");
      return `${watchesFile}:${line}: ${place && `${entries.length === 1 ? "entry" : "entries"} ${place}: `}${message}`;
    });
    throw new CommandError(`${oneLine(problems.join("; "))}; nothing was written`);
  }
}
