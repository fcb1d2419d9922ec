import type { KindNames } from "../project/kind-names.ts";
import { capitalize } from "../project/names.ts";
import { insertAt } from "./markers.ts";
import type { Tree } from "./tree.ts";

/**
 * A kind into the scheme of a file that has the markers `imports` and `scheme`, one folder below the project's.
 *
 * @throws CommandError when a marker is gone
 */
export function addToScheme(tree: Tree, path: string, names: KindNames): void {
  const { resource, version, apiFolder, ofGroup } = names;
  // Two versions of a kind have Resources of one name, and so may kinds of two groups.
  const alias = `${resource}${capitalize(version)}${ofGroup}`;
  insertAt(
    tree,
    path,
    "imports",
    `import { ${resource} as ${alias} } from "../${apiFolder}/zz_generated.resources.ts";`,
  );
  insertAt(tree, path, "scheme", `${alias},`);
}
