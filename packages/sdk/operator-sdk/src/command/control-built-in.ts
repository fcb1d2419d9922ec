import { posix } from "node:path";
import type { BuiltInKind } from "../project/built-in-kinds.ts";
import { kindNames, kindsOf } from "../project/kind-names.ts";
import { formatProject, type Project, type ProjectResource } from "../project/project-file.ts";
import { insertAt } from "../scaffold/markers.ts";
import { createSuite } from "../scaffold/suite.ts";
import { renderSet } from "../scaffold/templates.ts";
import type { Tree } from "../scaffold/tree.ts";
import type { KindFlags } from "./ask-for-kind.ts";

/**
 * A controller of a kind that every cluster has: no types, no CustomResourceDefinition, no sample. (Go: kubebuilder's
 * `create api --group apps --version v1 --kind Deployment --resource=false`.)
 */
export function controlBuiltIn(
  tree: Tree,
  project: Project,
  kind: Required<KindFlags>,
  { builtIn, force }: { builtIn: BuiltInKind; force: boolean },
): void {
  const names = kindNames(project, kind);
  const view = {
    ...names,
    resource: builtIn.resource,
    plural: builtIn.resource.toLowerCase(),
    // As markers say it.
    fullGroup: builtIn.group || "core",
    suiteImport: suiteFrom(names.controllerFolder),
  };
  for (const { path, text } of renderSet("controller-of-built-in", view)) {
    tree.create(path, text, { overwrite: force });
  }
  createSuite(tree, kindsOf(project));
  const setup = `setup${names.kind}${names.ofGroup}`;
  const file = `../${names.controllerFolder}/${names.kindLower}.controller.ts`;
  insertAt(tree, "src/main.ts", "imports", `import { setupWithManager as ${setup} } from "${file}";`);
  insertAt(tree, "src/main.ts", "builder", `${setup}(manager);`);

  const domain = builtIn.group.split(".").slice(1).join(".");
  const entry: ProjectResource = {
    controller: true,
    core: true,
    ...(domain !== "" && { domain }),
    ...kind,
    path: `k8s.io/api/${kind.group}/${kind.version}`,
  };
  const others = (project.resources ?? []).filter(
    (one) => one.group !== kind.group || one.version !== kind.version || one.kind !== kind.kind,
  );
  tree.edit("PROJECT", () => formatProject({ ...project, resources: [...others, entry] }));
}

function suiteFrom(folder: string): string {
  const relative = posix.relative(folder, "controllers/suite.ts");
  return relative.startsWith(".") ? relative : `./${relative}`;
}
