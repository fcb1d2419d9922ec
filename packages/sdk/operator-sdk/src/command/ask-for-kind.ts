import { CommandError } from "../command-error.ts";
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
 * Which kind the flags are about; what they do not say is asked for.
 *
 * @throws CommandError naming all flags that are missing, where there is nobody to ask
 */
export async function askForKind(flags: KindFlags, { prompts }: Surroundings): Promise<Required<KindFlags>> {
  const missing = (["group", "version", "kind"] as const).filter((name) => flags[name] === undefined);
  if (missing.length > 0 && !prompts) {
    throw new CommandError(
      `${missing.map((name) => `--${name}`).join(", ")} ${missing.length === 1 ? "is" : "are"} missing: say --group cache --version v1alpha1 --kind Memcached, for example`,
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
 * Files of a kind's roles are named after the kind alone, where a project has one group in TypeScript; a Helm API may be of
 * another.
 *
 * @param isConcerned which of the project's kinds count; default: all
 * @throws CommandError when a kind of another group has that name
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
    `${kind} is a kind in ${other.group}, too, and files are named after it: operator-sdk edit --multigroup first, or take another name; nothing was written`,
  );
}

/**
 * Controllers are named after the kind and, where a project has several groups, after the first label of its group. Kinds of
 * other projects may have the same names in another domain.
 *
 * @throws CommandError when a kind of another group has a controller in the file that this kind's controller would have
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
      : "operator-sdk edit --multigroup first";
  throw new CommandError(
    `${other.kind} of ${fullGroupOf(other)} has its controller in ${file}, and so would ${names.kind} of ${names.fullGroup}: ${remedy}; nothing was written`,
  );
}

const fullGroupOf = ({ group, domain }: ProjectResource): string =>
  domain === undefined ? group : `${group}.${domain}`;

/**
 * Types of a kind that PROJECT has may be elsewhere: the author has moved them, or has made the project one of several
 * groups and has not.
 *
 * @throws CommandError saying where they have to be
 */
export function checkTypesAreThere(tree: Tree, { apiFolder, kindLower, kind }: KindNames): void {
  const path = `${apiFolder}/${kindLower}.types.ts`;
  if (tree.read(path) !== undefined) return;
  throw new CommandError(
    `the types of ${kind} are not in ${path}: move them there with all of their folder, and their controllers to controllers/<group> if the project has several groups; nothing was written`,
  );
}
