import { CommandError } from "../command-error.ts";
import type { ChartFlags } from "../helm/obtain-chart.ts";
import { type KindNames, kindNames } from "../project/kind-names.ts";
import { checkGroup, checkKind, checkVersion } from "../project/names.ts";
import type { Project, ProjectResource } from "../project/project-file.ts";
import type { Tree } from "../scaffold/tree.ts";
import type { Surroundings } from "./surroundings.ts";

export interface KindFlags {
  group?: string;
  version?: string;
  kind?: string;
}

const questions = {
  group: ["Group", checkGroup, "cache"],
  version: ["Version", checkVersion, "v1alpha1"],
  kind: ["Kind", checkKind, "Memcached"],
} as const;

/**
 * Returns the kind that the flags name. Asks for missing flags if there is a terminal.
 *
 * @throws CommandError that names all missing flags if there is no terminal
 */
export async function askForKind(flags: KindFlags, { prompts }: Surroundings): Promise<Required<KindFlags>> {
  const missing = (["group", "version", "kind"] as const).filter((name) => flags[name] === undefined);
  if (missing.length > 0 && !prompts) {
    throw new CommandError(
      `${missing.map((name) => `--${name}`).join(", ")} ${missing.length === 1 ? "is" : "are"} missing: add --group cache --version v1alpha1 --kind Memcached, for example`,
    );
  }
  const { group = "", version = "", kind = "" } = flags;
  const answers = { group, version, kind };
  for (const name of missing) {
    const [message, check, example] = questions[name];
    answers[name] = (await prompts?.text(`${message} (--${name})`, check, example)) ?? "";
  }
  return answers;
}

/**
 * Checks that no kind of another group has the same file names. Without multigroup, role files are named
 * after the kind alone, but a Helm API may have another group than the kinds in TypeScript.
 *
 * @param isConcerned selects the kinds to check; default: all
 * @throws CommandError if a kind of another group has the same name
 */
export function checkFilesAreApart(
  project: Project,
  { group, kind }: { group: string; kind: string },
  isConcerned: (one: ProjectResource) => boolean = () => true,
): void {
  const other = project.resources?.find(
    (one) => one.api && one.kind === kind && one.group !== group && isConcerned(one),
  );
  if (!other || project.multigroup) return;
  throw new CommandError(
    `the group ${other.group} also has a kind ${kind}, and both would have the same files: run operator-sdk edit --multigroup first, or choose another name; nothing was written`,
  );
}

/**
 * Checks that the file of a kind's controller is free. The file is named after the kind and, with multigroup,
 * after the first label of its group. Kinds of other projects may have the same names in another domain.
 *
 * @throws CommandError if the controller of another kind has the same file
 */
export function checkControllerIsApart(project: Project, names: KindNames): void {
  const fileOf = ({ controllerFolder, kindLower }: KindNames) =>
    `${controllerFolder}/${kindLower}.controller.ts`;
  const file = fileOf(names);
  const other = project.resources?.find(
    (one) =>
      one.controller && fullGroupOf(one) !== names.fullGroup && fileOf(kindNames(project, one)) === file,
  );
  if (!other) return;
  const remedy =
    other.group === names.group || project.multigroup
      ? "control one of them in another project, or give your own kind another name"
      : "run operator-sdk edit --multigroup first";
  throw new CommandError(
    `the controller of ${names.kind} of ${names.fullGroup} would be in ${file}, which has the controller of ${other.kind} of ${fullGroupOf(other)}: ${remedy}; nothing was written`,
  );
}

const fullGroupOf = ({ group, domain }: ProjectResource): string =>
  domain === undefined ? group : `${group}.${domain}`;

/**
 * Checks that the types of a kind are in their place. They may be elsewhere if the author has moved them, or
 * has switched the project to multigroup without moving them.
 *
 * @throws CommandError that names the expected place
 */
export function checkTypesAreThere(tree: Tree, { apiFolder, kindLower, kind }: KindNames): void {
  const path = `${apiFolder}/${kindLower}.types.ts`;
  if (tree.read(path) !== undefined) return;
  throw new CommandError(
    `the types of ${kind} are not in ${path}: move their whole folder there, and their controllers to controllers/<group> if the project has several groups; nothing was written`,
  );
}

/**
 * Writes the files of a command and prints their names.
 *
 * @param options.kustomize whether they include manifests; if so, prints Operator SDK's line about them as
 * well
 * @throws CommandError as `Tree.commit` does
 */
export function commitScaffold(
  tree: Tree,
  { stdout }: Surroundings,
  { kustomize = false }: { kustomize?: boolean } = {},
): void {
  const files = tree.changed();
  tree.commit();
  const head = kustomize ? "Writing kustomize manifests for you to edit...\n" : "";
  stdout(`${head}Writing scaffold for you to edit...\n${files.map((file) => `${file}\n`).join("")}`);
}

/** The flags of `operator-sdk create api`. */
export interface CreateApiFlags extends KindFlags, ChartFlags {
  /** Path of the CRD of another project's kind. */
  externalApiPath?: string;
  /** Plugin that scaffolds the API. Default: TypeScript. */
  plugins?: string;
  resource?: boolean;
  controller?: boolean;
  /** Whether the kind is namespaced. Default: as in its other versions, or true for a new kind. */
  namespaced?: boolean;
  force?: boolean;
}
