import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "../command-error.ts";
import { findHelm } from "../helm/find-helm.ts";
import { type ChartFlags, type ObtainedChart, obtainChart } from "../helm/obtain-chart.ts";
import { renderChart } from "../helm/render-chart.ts";
import { rulesOfApi } from "../helm/rules-of-api.ts";
import { type HelmProgram, versionOf } from "../helm/run-helm.ts";
import { kindNames } from "../project/kind-names.ts";
import { checkGroup, checkKind, checkVersion } from "../project/names.ts";
import { isHybrid } from "../project/plugins.ts";
import { formatProject, openProject, type Project, withResource } from "../project/project-file.ts";
import { addHelmApi, readWatches } from "../scaffold/helm-api.ts";
import {
  askForKind,
  type CreateApiFlags,
  checkFilesAreApart,
  commitScaffold,
  type KindFlags,
} from "./create.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Runs `operator-sdk create api --plugins helm.sdk.operatorframework.io/v1`, which adds a kind whose objects
 * are releases of a chart.
 *
 * @throws CommandError if the flags, the project or the chart do not allow it; then nothing is written
 */
export async function createHelmApi(flags: CreateApiFlags, surroundings: Surroundings): Promise<void> {
  const { cwd, env = process.env } = surroundings;
  const { project, tree } = openProject(cwd);
  checkFlags(project, flags);
  const watches = await readWatches(tree, cwd);
  const named = flags.helmChart === undefined ? await askForKind(flags, surroundings) : flags;
  const path = findHelm(env);
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), "operator-sdk-")));
  const scratch = join(temporary, "work");
  const helm: HelmProgram = { path, env, cache: join(temporary, "cache") };
  try {
    mkdirSync(scratch);
    const newName = (named.kind ?? "").toLowerCase();
    const chart = await obtainChart(flags, { ...{ helm, cwd, scratch, newName } });
    const kind = completeKind(named, chart);
    checkIsNew(project, kind);
    const names = kindNames(project, kind);
    const sample = `${names.kindLower}-sample`;
    const rendered = await renderChart(helm, { ...{ scratch, release: sample }, chart: chart.path });
    const { text, notes } = rulesOfApi(names, chart, rendered);
    addHelmApi(tree, { names, sample, project, chart, rules: text, watches });
    const after = withResource(project, {
      api: { crdVersion: "v1", namespaced: true },
      domain: project.domain,
      ...kind,
    });
    tree.edit("PROJECT", () => formatProject(after));
    // The chart of `helm create` depends on the version of helm.
    surroundings.stdout(`Using helm ${await versionOf(helm, scratch)}\n`);
    commitScaffold(tree, surroundings, { kustomize: true });
    for (const note of notes) surroundings.stdout(`Note: ${note}.\n`);
    surroundings.stdout(
      "Next: check that config/rbac/helm_role.yaml covers everything that the chart renders with your values, and install the CRD with:\n$ make install\n",
    );
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function checkFlags(project: Project, flags: CreateApiFlags & ChartFlags): void {
  if (!isHybrid(project)) {
    throw new CommandError(
      "this project does not support Helm APIs: create one with operator-sdk init --plugins hybrid.helm.sdk.operatorframework.io; nothing was written",
    );
  }
  const { resource, controller, namespaced, force } = flags;
  if (resource === false || controller === false) {
    const flag = resource === false ? "--resource=false" : "--controller=false";
    throw new CommandError(
      `${flag}: a Helm API always has a CRD and a chart in watches.yaml: remove the flag`,
    );
  }
  if (namespaced === false) {
    throw new CommandError(
      "--namespaced=false: helm releases are namespaced, so Helm APIs are too: remove the flag",
    );
  }
  if (force) {
    throw new CommandError(
      "--force: operator-sdk does not overwrite the files of a Helm API: remove the flag",
    );
  }
  for (const [flag, value] of [
    ["--helm-chart-repo", flags.helmChartRepo],
    ["--helm-chart-version", flags.helmChartVersion],
  ]) {
    if (value !== undefined && flags.helmChart === undefined) {
      throw new CommandError(`${flag} ${value}: the chart is missing: add --helm-chart`);
    }
  }
}

/**
 * Adds Operator SDK's defaults to missing flags: group charts, version v1alpha1, and the chart's name as
 * kind.
 */
function completeKind(flags: KindFlags, { name }: ObtainedChart): Required<KindFlags> {
  const words = name.split(/[-._]/).filter((word) => word !== "");
  const ofName = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
  const { group = "charts", version = "v1alpha1", kind = ofName } = flags;
  return { group: checkGroup(group), version: checkVersion(version), kind: checkKind(kind) };
}

function checkIsNew(project: Project, { group, kind }: Required<KindFlags>): void {
  checkFilesAreApart(project, { group, kind });
  const existing = project.resources?.find((one) => one.api && one.group === group && one.kind === kind);
  if (!existing) return;
  throw new CommandError(
    `${kind} in ${group} already exists in ${existing.version}, and a kind with a chart has only one version: choose another kind; nothing was written`,
  );
}
