import { resolve } from "node:path";
import { CommandError } from "../command-error.ts";
import { findBuiltInKind } from "../project/built-in-kinds.ts";
import { type KindNames, kindNames } from "../project/kind-names.ts";
import { checkGroup } from "../project/names.ts";
import { openProject } from "../project/open-project.ts";
import { findPlugin, isHybrid } from "../project/plugins.ts";
import {
  formatProject,
  isHelmApi,
  isOwn,
  isSameKind,
  type Project,
  type ProjectResource,
  withResource,
} from "../project/project-file.ts";
import { addController } from "../scaffold/controller.ts";
import { generateInto } from "../scaffold/generate-into.ts";
import { relativeImport } from "../scaffold/imports.ts";
import { addToCrds, addToDefault, addToSamples } from "../scaffold/kustomizations.ts";
import { addToScheme } from "../scaffold/scheme.ts";
import { addToSuite } from "../scaffold/suite.ts";
import { renderSet } from "../scaffold/templates.ts";
import type { Tree } from "../scaffold/tree.ts";
import {
  askForKind,
  checkControllerIsApart,
  checkFilesAreApart,
  checkTypesAreThere,
  type KindFlags,
} from "./ask-for-kind.ts";
import { commitScaffold } from "./commit-scaffold.ts";
import { controlBuiltIn } from "./control-built-in.ts";
import { controlExternal } from "./control-external.ts";
import type { CreateApiFlags } from "./create-api-flags.ts";
import type { Surroundings } from "./surroundings.ts";

/** `operator-sdk create api`: a kind, its controller, or both. */
export async function createApi(flags: CreateApiFlags, surroundings: Surroundings): Promise<void> {
  const { plugin, note } = findPlugin(flags.plugins, ["typescript", "helm"]);
  const { externalApiPath } = flags;
  if (externalApiPath === undefined && flags.group !== undefined) checkGroup(flags.group);
  // The helm-operator brings a manager with it, which most calls have no use for.
  if (plugin === "helm") return (await import("./create-helm-api.ts")).createHelmApi(flags, surroundings);
  const { cwd, stdout, prompts } = surroundings;
  checkHasNoChart(flags);
  const { project, tree } = openProject(cwd);
  const kind = await askForKind(flags, surroundings);
  checkIsNoRelease(project, kind);
  const resource = flags.resource ?? (await ask("resource"));
  const controller = flags.controller ?? (await ask("controller"));
  const { force = false } = flags;

  const own = project.resources?.find((one) => isOwn(one) && isSameKind(one, kind));
  if (note !== undefined) stdout(note);
  if (externalApiPath !== undefined) {
    if (resource || !controller)
      throw new CommandError(
        `--external-api-path ${externalApiPath} is for a controller of another project's kind: say --resource=false --controller`,
      );
    controlExternal(tree, project, kind, { path: resolve(cwd, externalApiPath), force });
    return commitScaffold(tree, surroundings);
  }
  const builtIn = resource || own?.api ? undefined : findBuiltInKind(kind);
  const existing = builtIn ? project.resources?.find((one) => one.core && isSameKind(one, kind)) : own;
  checkFits(project, existing, { ...kind, resource, controller, force, builtIn: builtIn !== undefined });
  if (builtIn) {
    controlBuiltIn(tree, project, kind, { builtIn, force });
    return commitScaffold(tree, surroundings);
  }
  const versions = otherVersions(project, kind);
  const namespaced = scopeOf(versions, flags.namespaced);
  const names = kindNames(project, kind);
  if (controller) checkControllerIsApart(project, names);
  if (!resource) checkTypesAreThere(tree, names);
  if (resource) addApi(tree, project, names, { namespaced, force });
  const scope = resource ? namespaced : existing?.api?.namespaced === true;
  if (controller) {
    const apiImport = relativeImport(names.controllerFolder, `${names.apiFolder}/zz_generated.resources.ts`);
    addController(tree, project, names, {
      ...{ set: "controller", force },
      view: { apiImport, namespaced: scope },
    });
  }
  if (resource) addToSuite(tree, names);
  const after = withResource(project, {
    ...existing,
    ...(resource && { api: { crdVersion: "v1", ...(namespaced && { namespaced: true }) } }),
    ...((controller || existing?.controller) && { controller: true }),
    domain: project.domain,
    ...kind,
    path: `${project.repo}/${names.apiFolder}`,
  });
  tree.edit("PROJECT", () => formatProject(after));
  if (resource) generateInto(tree, cwd, names.apiFolder);
  commitScaffold(tree, surroundings, { kustomize: resource });
  const hub = versions.find((one) => one.webhooks?.conversion);
  if (resource && hub && !existing) {
    const { apiFolder, kindLower } = kindNames(project, hub);
    stdout(`Next: make ${kind.version} a spoke in ${apiFolder}/${kindLower}.conversion.ts and its test\n`);
  }
  if (resource) {
    stdout(
      "Next: implement your new API and generate the manifests (e.g. CRDs,CRs) with:\n$ make generate manifests\n",
    );
  }

  function ask(name: "resource" | "controller"): Promise<boolean> {
    if (prompts)
      return prompts.confirm(`Create ${name === "resource" ? "Resource" : "Controller"} (--${name})?`);
    throw new CommandError(`--${name} is missing: say --${name}, or --${name}=false`);
  }
}

function checkHasNoChart({ helmChart, helmChartRepo, helmChartVersion }: CreateApiFlags): void {
  const given = Object.entries({
    "--helm-chart": helmChart,
    "--helm-chart-repo": helmChartRepo,
    "--helm-chart-version": helmChartVersion,
  }).find(([, value]) => value !== undefined);
  if (!given) return;
  throw new CommandError(
    `${given.join(" ")}: charts are for Helm APIs: say --plugins helm.sdk.operatorframework.io/v1, too`,
  );
}

/** @throws CommandError when objects of the kind are releases of a chart, or files would have the names of another's */
function checkIsNoRelease(project: Project, { group, kind }: Required<KindFlags>): void {
  checkFilesAreApart(project, { group, kind }, isHelmApi);
  if (!project.resources?.some((one) => one.group === group && one.kind === kind && isHelmApi(one))) return;
  throw new CommandError(
    `${kind} in ${group} is a Helm API, made of its chart: give the kind in TypeScript another name; nothing was written`,
  );
}

interface Wanted {
  group: string;
  version: string;
  kind: string;
  resource: boolean;
  controller: boolean;
  force: boolean;
  /** Whether the kind is one of Kubernetes' own. */
  builtIn: boolean;
}

function checkFits(project: Project, existing: ProjectResource | undefined, wanted: Wanted): void {
  const { group, version, kind, resource, controller, force, builtIn } = wanted;
  const name = `${group}/${version}, Kind=${kind}`;
  if (!resource && !controller) {
    throw new CommandError("neither --resource nor --controller: nothing is to be created");
  }
  if (existing?.api && resource && !force) {
    throw new CommandError(
      `${name} is there already: --force writes its files anew, and what you wrote in them is lost`,
    );
  }
  if (existing?.controller && controller && !force) {
    throw new CommandError(
      `${name} has a controller already: --force writes it anew, and what you wrote in it is lost`,
    );
  }
  if (builtIn) return;
  if (!existing?.api && !resource) {
    throw new CommandError(
      `${name} has no types in this project: say --resource, too, or write the controller by hand`,
    );
  }
  const groups = new Set([
    ...(project.resources ?? []).filter((one) => one.api && !isHelmApi(one)).map((one) => one.group),
    group,
  ]);
  if (groups.size > 1 && !project.multigroup) {
    throw new CommandError(
      `this project has the group ${[...groups][0]}, and ${group} would be another: operator-sdk edit --multigroup first`,
    );
  }
}

/** The kind's versions but for this one, the first that came first. */
function otherVersions(project: Project, { group, version, kind }: Required<KindFlags>): ProjectResource[] {
  return (project.resources ?? []).filter(
    (one) => one.api && one.group === group && one.kind === kind && one.version !== version,
  );
}

/** @throws CommandError when the versions of a kind would differ in it */
function scopeOf([first]: readonly ProjectResource[], wanted: boolean | undefined): boolean {
  if (!first) return wanted ?? true;
  const namespaced = first.api?.namespaced === true;
  if (wanted === undefined || wanted === namespaced) return namespaced;
  throw new CommandError(
    `--namespaced=${wanted}: ${first.kind} is ${namespaced ? "namespaced" : "cluster-scoped"} in ${first.version}, and a kind is the same in all versions: leave it out`,
  );
}

interface How {
  namespaced: boolean;
  force: boolean;
}

function addApi(tree: Tree, project: Project, names: KindNames, { namespaced, force }: How): void {
  const older = otherVersions(project, names);
  // Samples of two versions would be one object.
  const sample = `${names.kindLower}-sample${older.length > 0 ? `-${names.version}` : ""}`;
  const view = { ...names, namespaced, sample, projectName: project.projectName };
  for (const { path, text } of renderSet("api", view)) {
    // One for all kinds of the version, and roles for all versions of the kind.
    if (/groupversion\.info\.ts$|_role\.yaml$/.test(path) && tree.read(path) !== undefined) continue;
    tree.create(path, text, { overwrite: force });
  }
  if (older.length > 0)
    markStorageVersion(
      tree,
      older.map((one) => kindNames(project, one)),
    );
  addToCrds(tree, `bases/${names.fullGroup}_${names.plural}.yaml`, { hybrid: isHybrid(project) });
  addToSamples(tree, `${names.group}_${names.version}_${names.kindLower}.yaml`);
  addToDefault(tree, names.roleFile);
  addToScheme(tree, "src/main.ts", names);
}

/** Of several versions one is stored: the one that there are objects of, unless the author has said otherwise. */
function markStorageVersion(tree: Tree, older: readonly KindNames[]): void {
  const files = older.map((names) => `${names.apiFolder}/${names.kindLower}.types.ts`);
  const [first] = files;
  if (first === undefined || files.some((file) => tree.read(file)?.includes("+kubebuilder:storageversion")))
    return;
  tree.edit(first, (text) =>
    text.replace(/^( \* )\+kubebuilder:object:root=true$/m, "$&\n$1+kubebuilder:storageversion"),
  );
}
