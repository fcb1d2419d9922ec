import type { KindNames } from "../project/kind-names.ts";
import { capitalize } from "../project/names.ts";
import { insertAt } from "./markers.ts";
import { renderSet } from "./templates.ts";
import type { Tree } from "./tree.ts";

/** The file with the test suite that the tests of controllers and webhooks use. */
export const suite = "controllers/suite.ts";

/** Creates the test suite with all kinds of the project in its scheme. Does not change an existing suite. */
export function createSuite(tree: Tree, kinds: readonly KindNames[], projectName: string): void {
  if (tree.read(suite) !== undefined) return;
  for (const { path, text } of renderSet("suite", { hasKinds: kinds.length > 0, projectName }))
    tree.create(path, text);
  for (const names of kinds) {
    // Kinds from before `edit --multigroup` may still be in their old folder.
    const types = `${names.apiFolder}/${names.kindLower}.types.ts`;
    if (tree.read(types) !== undefined) addToScheme(tree, suite, names);
  }
}

/** Adds a kind to the test suite if there is one. */
export function addToSuite(tree: Tree, names: KindNames): void {
  const text = tree.read(suite);
  if (text === undefined) return;
  addToScheme(tree, suite, names);
  // The project may have had no kinds of its own before.
  if (text.includes("+kubebuilder:scaffold:crds")) insertAt(tree, suite, "crds", '"config/crd/bases",');
}

/**
 * Adds a kind to the scheme in a file.
 *
 * @param path a file with the markers `imports` and `scheme`, one folder below that of the project
 * @throws CommandError if a marker is missing
 */
export function addToScheme(tree: Tree, path: string, names: KindNames): void {
  const { resource, version, apiFolder, ofGroup } = names;
  // The Resources of two versions of a kind have the same name. Kinds of two groups may also have the same
  // name.
  const alias = `${resource}${capitalize(version)}${ofGroup}`;
  insertAt(
    tree,
    path,
    "imports",
    `import { ${resource} as ${alias} } from "../${apiFolder}/zz_generated.resources.ts";`,
  );
  insertAt(tree, path, "scheme", `${alias},`);
}
