import { readFileSync } from "node:fs";
import {
  type ExternalDefinition,
  OptionError,
  readDefinitions,
  typeModules,
} from "@operator-path/controller-gen";
import { stringify } from "yaml";
import { CommandError } from "../command-error.ts";
import { kindNames } from "../project/kind-names.ts";
import { isFullGroup } from "../project/names.ts";
import { formatProject, isSameKind, type Project, withResource } from "../project/project-file.ts";
import { addController } from "../scaffold/controller.ts";
import { insertAt } from "../scaffold/markers.ts";
import { suite } from "../scaffold/suite.ts";
import { relativeImport } from "../scaffold/templates.ts";
import type { Tree } from "../scaffold/tree.ts";
import { checkControllerIsApart, type KindFlags } from "./create.ts";

/** The folders for the types of other projects' kinds, and for their CRDs, which only tests install. */
const folders = { types: "api/external", definitions: "config/crd/external" } as const;

/**
 * Adds a controller for a kind of another project, with its types and, for the tests, its CRD. `make install`
 * does not install that CRD. (Go: kubebuilder's `create api --resource=false --external-api-path`, which
 * takes a package.)
 *
 * @param options.path absolute path of the CRD
 * @throws CommandError if the file cannot be read, or does not define and serve the kind
 */
export function controlExternal(
  tree: Tree,
  project: Project,
  kind: Required<KindFlags>,
  { path, force }: { path: string; force: boolean },
): void {
  if (!isFullGroup(kind.group))
    throw new CommandError(
      `--group ${kind.group} has no domain: with --external-api-path, write the full group of the CustomResourceDefinition, such as cert-manager.io`,
    );
  const [group = "", ...rest] = kind.group.split(".");
  const domain = rest.join(".");
  const entry = { group, version: kind.version, kind: kind.kind };
  const existing = project.resources?.find((one) => isSameKind(one, { ...entry, domain }));
  if (existing && !force)
    throw new CommandError(
      `${kind.group}/${kind.version}, Kind=${kind.kind} already has a controller: --force overwrites it, and your changes to it are lost`,
    );
  const { definition, module } = findDefinition(path, kind);
  const names = { ...kindNames({ ...project, domain }, entry), plural: definition.plural };
  checkControllerIsApart(project, names);
  const types = `${folders.types}/${module.name}`;
  tree.create(types, module.text, { overwrite: force });
  tree.create(
    `${folders.definitions}/${kind.group}_${definition.plural}.yaml`,
    stringify(definition.manifest),
    { overwrite: force },
  );
  addController(tree, project, names, {
    set: "controller-of-built-in",
    view: {
      resource: module.resource,
      fullGroup: kind.group,
      resourceImport: relativeImport(names.controllerFolder, types),
    },
    force,
  });
  if (tree.read(suite)?.includes(`"${folders.definitions}"`) === false)
    insertAt(tree, suite, "crds", `"${folders.definitions}",`);
  const after = withResource(project, {
    controller: true,
    domain,
    external: true,
    ...entry,
    path: folders.types,
  });
  tree.edit("PROJECT", () => formatProject(after));
}

function findDefinition(path: string, { group, version, kind }: Required<KindFlags>) {
  const text = readText(path);
  let definitions: ExternalDefinition[];
  try {
    definitions = readDefinitions(text, path);
  } catch (error) {
    if (error instanceof OptionError) throw new CommandError(error.message);
    throw error;
  }
  const definition = definitions.find((one) => one.group === group && one.kind === kind);
  if (!definition) {
    const found = definitions.map((one) => `${one.kind} of ${one.group}`).join(", ");
    throw new CommandError(`${path} does not define ${kind} of ${group}: it defines ${found}`);
  }
  const module = typeModules(definition).find((one) => one.version === version);
  if (!module) {
    const served = definition.versions.map(({ name }) => name).join(", ");
    throw new CommandError(`${path} does not serve ${kind} in ${version}: it serves ${served}`);
  }
  return { definition, module };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(`cannot read --external-api-path ${path}: ${(error as Error).message}`);
  }
}
