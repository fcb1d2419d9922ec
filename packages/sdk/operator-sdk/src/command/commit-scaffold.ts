import type { Tree } from "../scaffold/tree.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Writes what a command has made, and says which files.
 *
 * @param o.kustomize whether manifests are among them: then that is said, too, in Operator SDK's words
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
