import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "../command-error.ts";
import { findHelm } from "../helm/find-helm.ts";
import { type ChartFlags, type ObtainedChart, obtainChart } from "../helm/obtain-chart.ts";
import { readWatches } from "../helm/read-watches.ts";
import { renderChart } from "../helm/render-chart.ts";
import { rulesOfApi } from "../helm/rules-of-api.ts";
import { type HelmProgram, versionOf } from "../helm/run-helm.ts";
import { kindNames } from "../project/kind-names.ts";
import { checkGroup, checkKind, checkVersion } from "../project/names.ts";
import { openProject } from "../project/open-project.ts";
import { isHybrid } from "../project/plugins.ts";
import { formatProject, type Project, withResource } from "../project/project-file.ts";
import { addHelmApi } from "../scaffold/helm-api.ts";
import { askForKind, checkFilesAreApart, type KindFlags } from "./ask-for-kind.ts";
import { commitScaffold } from "./commit-scaffold.ts";
import type { CreateApiFlags } from "./create-api-flags.ts";
import type { Surroundings } from "./surroundings.ts";

/** `operator-sdk create api --plugins helm.sdk.operatorframework.io/v1`: a kind whose objects are releases of a chart. */
export async function createHelmApi(flags: CreateApiFlags, surroundings: Surroundings): Promise<void> {
  const { cwd, env = process.env } = surroundings;
  const { project, tree } = openProject(cwd);
  checkFlags(project, flags);
  const watches = await readWatches(tree, cwd);
  const asked = flags.helmChart === undefined ? await askForKind(flags, surroundings) : flags;
  const path = findHelm(env);
  const own = realpathSync(mkdtempSync(join(tmpdir(), "operator-sdk-")));
  const scratch = join(own, "work");
  const helm: HelmProgram = { path, env, cache: join(own, "cache") };
  try {
    mkdirSync(scratch);
    const newName = (asked.kind ?? "").toLowerCase();
    const chart = await obtainChart(flags, { ...{ helm, cwd, scratch, newName } });
    const kind = wholeKind(asked, chart);
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
    // What `helm create` writes differs from one helm to the next.
    surroundings.stdout(`Using helm ${await versionOf(helm, scratch)}\n`);
    commitScaffold(tree, surroundings, { kustomize: true });
    for (const note of notes) surroundings.stdout(`Note: ${note}.\n`);
    surroundings.stdout(
      "Next: look whether config/rbac/helm_role.yaml has all that your values make the chart render, and install the definition with:\n$ make install\n",
    );
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function checkFlags(project: Project, flags: CreateApiFlags & ChartFlags): void {
  if (!isHybrid(project)) {
    throw new CommandError(
      "this project has no Helm part: begin one with operator-sdk init --plugins hybrid.helm.sdk.operatorframework.io; nothing was written",
    );
  }
  const { resource, controller, namespaced, force } = flags;
  if (resource === false || controller === false) {
    const flag = resource === false ? "--resource=false" : "--controller=false";
    throw new CommandError(
      `${flag}: a Helm API is a definition, and a chart in watches.yaml: leave the flag out`,
    );
  }
  if (namespaced === false) {
    throw new CommandError("--namespaced=false: releases are in namespaces, and so are their objects");
  }
  if (force) {
    throw new CommandError(
      "--force: the files of a Helm API are yours once they are there: leave the flag out",
    );
  }
  for (const [flag, value] of [
    ["--helm-chart-repo", flags.helmChartRepo],
    ["--helm-chart-version", flags.helmChartVersion],
  ]) {
    if (value !== undefined && flags.helmChart === undefined) {
      throw new CommandError(`${flag} ${value}: which chart? say --helm-chart, too`);
    }
  }
}

/** What flags do not say, a chart does: as Operator SDK, group charts, version v1alpha1, the chart's name as kind. */
function wholeKind(flags: KindFlags, { name }: ObtainedChart): Required<KindFlags> {
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
    `${kind} in ${group} is there already, in ${existing.version}: a kind with a chart has one version; nothing was written`,
  );
}
