import { resolve } from "node:path";
import { CommandError } from "../command-error.ts";
import { findBuiltInKind } from "../project/built-in-kinds.ts";
import { type KindNames, kindNames } from "../project/kind-names.ts";
import { checkGroup } from "../project/names.ts";
import { findPlugin, isHybrid } from "../project/plugins.ts";
import {
  formatProject,
  isHelmApi,
  isOwn,
  isSameKind,
  openProject,
  type Project,
  type ProjectResource,
  withResource,
} from "../project/project-file.ts";
import { addController } from "../scaffold/controller.ts";
import { generateInto } from "../scaffold/generate-into.ts";
import { addToCrds, addToDefault, addToSamples } from "../scaffold/kustomizations.ts";
import { addToScheme, addToSuite } from "../scaffold/suite.ts";
import { relativeImport, renderSet } from "../scaffold/templates.ts";
import type { Tree } from "../scaffold/tree.ts";
import { controlBuiltIn } from "./control-built-in.ts";
import { controlExternal } from "./control-external.ts";
import {
  askForKind,
  type CreateApiFlags,
  checkControllerIsApart,
  checkFilesAreApart,
  checkTypesAreThere,
  commitScaffold,
  type KindFlags,
} from "./create.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Runs `operator-sdk create api`, which adds a kind, its controller, or both.
 *
 * @throws CommandError if the flags or the project do not allow it; then nothing is written
 */
export async function createApi(flags: CreateApiFlags, surroundings: Surroundings): Promise<void> {
  const { plugin, note } = findPlugin(flags.plugins, ["typescript", "helm"]);
  const { externalApiPath } = flags;
  if (externalApiPath === undefined && flags.group !== undefined) checkGroup(flags.group);
  // Most calls do not need helm-operator, which loads a whole manager.
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
        `--external-api-path ${externalApiPath} is for a controller of another project's kind: add --resource=false --controller`,
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
    throw new CommandError(`--${name} is missing: add --${name} or --${name}=false`);
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
    `${given.join(" ")}: charts are for Helm APIs: add --plugins helm.sdk.operatorframework.io/v1`,
  );
}

/**
 * @throws CommandError if the kind is a Helm API, or if a Helm API of another group has the same file names
 */
function checkIsNoRelease(project: Project, { group, kind }: Required<KindFlags>): void {
  checkFilesAreApart(project, { group, kind }, isHelmApi);
  if (!project.resources?.some((one) => one.group === group && one.kind === kind && isHelmApi(one))) return;
  throw new CommandError(
    `${kind} in ${group} is a Helm API with a chart: give the kind in TypeScript another name; nothing was written`,
  );
}

interface Requested {
  group: string;
  version: string;
  kind: string;
  resource: boolean;
  controller: boolean;
  force: boolean;
  /** Whether the kind is built-in. */
  builtIn: boolean;
}

function checkFits(project: Project, existing: ProjectResource | undefined, requested: Requested): void {
  const { group, version, kind, resource, controller, force, builtIn } = requested;
  const name = `${group}/${version}, Kind=${kind}`;
  if (!resource && !controller) {
    throw new CommandError("nothing to create: add --resource, --controller or both");
  }
  if (existing?.api && resource && !force) {
    throw new CommandError(
      `${name} already exists: --force overwrites its files, and your changes to them are lost`,
    );
  }
  if (existing?.controller && controller && !force) {
    throw new CommandError(
      `${name} already has a controller: --force overwrites it, and your changes to it are lost`,
    );
  }
  if (builtIn) return;
  if (!existing?.api && !resource) {
    throw new CommandError(
      `${name} has no types in this project: add --resource, or write the controller yourself`,
    );
  }
  const groups = new Set([
    ...(project.resources ?? []).filter((one) => one.api && !isHelmApi(one)).map((one) => one.group),
    group,
  ]);
  if (groups.size > 1 && !project.multigroup) {
    throw new CommandError(
      `this project has only the group ${[...groups][0]}: to add ${group}, run operator-sdk edit --multigroup first`,
    );
  }
}

/** Returns the other versions of a kind, in the order in which they were added. */
function otherVersions(project: Project, { group, version, kind }: Required<KindFlags>): ProjectResource[] {
  return (project.resources ?? []).filter(
    (one) => one.api && one.group === group && one.kind === kind && one.version !== version,
  );
}

/** Returns whether a kind is namespaced. @throws CommandError if its versions would differ */
function scopeOf([first]: readonly ProjectResource[], requested: boolean | undefined): boolean {
  if (!first) return requested ?? true;
  const namespaced = first.api?.namespaced === true;
  if (requested === undefined || requested === namespaced) return namespaced;
  throw new CommandError(
    `--namespaced=${requested}: ${first.kind} is ${namespaced ? "namespaced" : "cluster-scoped"} in ${first.version}, and all versions of a kind have the same scope: remove the flag`,
  );
}

interface How {
  namespaced: boolean;
  force: boolean;
}

function addApi(tree: Tree, project: Project, names: KindNames, { namespaced, force }: How): void {
  const older = otherVersions(project, names);
  // Without the version, the samples of two versions would be the same object.
  const sample = `${names.kindLower}-sample${older.length > 0 ? `-${names.version}` : ""}`;
  const view = { ...names, namespaced, sample, projectName: project.projectName };
  for (const { path, text } of renderSet("api", view)) {
    // All kinds of a version share groupversion.info.ts, and all versions of a kind share its roles.
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

/**
 * Marks the first version as the storage version, because the server may already have objects in it. Does
 * nothing if the author has marked one.
 */
function markStorageVersion(tree: Tree, older: readonly KindNames[]): void {
  const files = older.map((names) => `${names.apiFolder}/${names.kindLower}.types.ts`);
  const [first] = files;
  if (first === undefined || files.some((file) => tree.read(file)?.includes("+kubebuilder:storageversion")))
    return;
  tree.edit(first, (text) =>
    text.replace(/^( \* )\+kubebuilder:object:root=true$/m, "$&\n$1+kubebuilder:storageversion"),
  );
}
