import type { BuiltInKind } from "../project/built-in-kinds.ts";
import { kindNames } from "../project/kind-names.ts";
import { formatProject, type Project, withResource } from "../project/project-file.ts";
import { addController } from "../scaffold/controller.ts";
import type { Tree } from "../scaffold/tree.ts";
import { checkControllerIsApart, type KindFlags } from "./create.ts";

/**
 * Adds a controller for a built-in kind, without types, CRD or sample. (Go: kubebuilder's
 * `create api --group apps --version v1 --kind Deployment --resource=false`.)
 */
export function controlBuiltIn(
  tree: Tree,
  project: Project,
  kind: Required<KindFlags>,
  { builtIn, force }: { builtIn: BuiltInKind; force: boolean },
): void {
  // Markers call the core group "core".
  const names = { ...kindNames(project, kind), fullGroup: builtIn.group || "core" };
  checkControllerIsApart(project, names);
  const view = {
    resource: builtIn.resource,
    plural: builtIn.resource.toLowerCase(),
    resourceImport: "",
  };
  addController(tree, project, names, { set: "controller-of-built-in", view, force });

  const domain = builtIn.group.split(".").slice(1).join(".");
  const after = withResource(project, {
    controller: true,
    core: true,
    ...(domain !== "" && { domain }),
    ...kind,
    path: `k8s.io/api/${kind.group}/${kind.version}`,
  });
  tree.edit("PROJECT", () => formatProject(after));
}
