import { join } from "node:path";

/**
 * Returns the absolute path of the `container-tool` command, for CONTAINER_TOOL of a Makefile on an embedded
 * cluster. A link to it, in a folder on the PATH, works too. It needs a KUBECONFIG for the cluster, or a copy
 * of it.
 */
export function containerToolPath(): string {
  return join(import.meta.dirname, "..", "..", "bin", "container-tool");
}

/** The kubeconfig extension of a cluster that names its image folder: `{ folder: <absolute path> }`. */
export const imagesExtension = "operator-path/images";

/** The environment variable that names the folder for container-tool. It overrides the kubeconfig. */
export const imagesVariable = "OPERATOR_PATH_IMAGES";

/**
 * With the value `load`, a push also puts the image on every node, as on kind. For a cluster that keeps
 * running: a node does not pull a tag that it already has, and the next build may reuse the tag.
 */
export const pushVariable = "OPERATOR_PATH_PUSH";
