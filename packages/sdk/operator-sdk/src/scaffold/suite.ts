import type { KindNames } from "../project/kind-names.ts";
import { insertAt } from "./markers.ts";
import { addToScheme } from "./scheme.ts";
import { renderSet } from "./templates.ts";
import type { Tree } from "./tree.ts";

/** What tests of controllers and webhooks run on, in a project. */
export const suite = "controllers/suite.ts";

/** What tests run on, with all kinds of the project in its scheme. One that is there is the author's, and stays as it is. */
export function createSuite(tree: Tree, kinds: readonly KindNames[], projectName: string): void {
  if (tree.read(suite) !== undefined) return;
  for (const { path, text } of renderSet("suite", { hasKinds: kinds.length > 0, projectName }))
    tree.create(path, text);
  for (const names of kinds) {
    // Those that were there before `edit --multigroup` are where they were.
    const types = `${names.apiFolder}/${names.kindLower}.types.ts`;
    if (tree.read(types) !== undefined) addToScheme(tree, suite, names);
  }
}

/** A kind that has come, where there is a suite already. */
export function addToSuite(tree: Tree, names: KindNames): void {
  const text = tree.read(suite);
  if (text === undefined) return;
  addToScheme(tree, suite, names);
  // Of a project that had none of its own before.
  if (text.includes("+kubebuilder:scaffold:crds")) insertAt(tree, suite, "crds", '"config/crd/bases",');
}
