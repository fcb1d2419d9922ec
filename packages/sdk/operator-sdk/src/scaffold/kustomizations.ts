import { insertAt } from "./markers.ts";
import { renderSet } from "./templates.ts";
import type { Tree } from "./tree.ts";

/**
 * Adds a CRD to config/crd.
 *
 * @param file relative to config/crd
 * @param options.hybrid whether the project supports Helm APIs
 */
export function addToCrds(tree: Tree, file: string, { hybrid }: { hybrid: boolean }): void {
  const path = "config/crd/kustomization.yaml";
  if (tree.read(path) === undefined)
    for (const each of renderSet("crd", { hybrid })) tree.create(each.path, each.text);
  insertAt(tree, path, "crdkustomizeresource", `- ${file}`);
}

/**
 * Adds a patch of one CRD to config/crd.
 *
 * @param file relative to config/crd/patches
 * @param definition the name of the CRD
 */
export function addToCrdPatches(tree: Tree, file: string, definition: string): void {
  const path = "config/crd/kustomization.yaml";
  const marker = "crdkustomizewebhookpatch";
  // A kustomization has no patches until it needs one.
  tree.edit(path, (text) =>
    text.includes(`+kubebuilder:scaffold:${marker}`)
      ? text
      : `${text.trimEnd()}\npatches:\n# +kubebuilder:scaffold:${marker}\n`,
  );
  const target = `  target:\n    kind: CustomResourceDefinition\n    name: ${definition}`;
  insertAt(tree, path, marker, `- path: patches/${file}\n${target}`);
}

/** Adds a sample to config/samples. The file is relative to that folder. */
export function addToSamples(tree: Tree, file: string): void {
  const path = "config/samples/kustomization.yaml";
  if (tree.read(path) === undefined)
    for (const each of renderSet("samples", {})) tree.create(each.path, each.text);
  insertAt(tree, path, "manifestskustomizesamples", `- ${file}`);
}

/** Adds the CRDs, and the roles for the users of a kind, to config/default, which `make deploy` applies. */
export function addToDefault(tree: Tree, roleFile: string): void {
  insertAt(tree, "config/default/kustomization.yaml", "resources", "- ../crd");
  const roles = ["admin", "editor", "viewer"].map((role) => `- ${roleFile}_${role}_role.yaml`);
  insertAt(tree, "config/rbac/kustomization.yaml", "resources", roles.join("\n"));
}
