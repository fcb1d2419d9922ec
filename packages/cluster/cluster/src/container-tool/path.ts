import { join } from "node:path";

/**
 * Absolute path of the `container-tool` command: what CONTAINER_TOOL of a Makefile is to be on an embedded cluster. A
 * link to it, in a folder on the PATH, will do. It needs a KUBECONFIG that leads to the cluster, or a copy of that.
 */
export function containerToolPath(): string {
  return join(import.meta.dirname, "..", "..", "bin", "container-tool");
}

/** The extension of a kubeconfig's cluster that says where the cluster's images are: `{ folder: <absolute path> }`. */
export const imagesExtension = "operator-path/images";

/** Names that folder for container-tool, whatever the kubeconfig says. */
export const imagesVariable = "OPERATOR_PATH_IMAGES";

/**
 * `load`: a push puts the image on every node, too, as it does on kind. For a cluster that goes on: a node that has a tag does not ask
 * for it again, and what is built next may be called the same.
 */
export const pushVariable = "OPERATOR_PATH_PUSH";
