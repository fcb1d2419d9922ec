import { join } from "node:path";

/**
 * Absolute path of the `container-tool` command: what CONTAINER_TOOL of a Makefile is to be on an embedded cluster. A
 * link to it, in a folder on the PATH, will do. It needs a KUBECONFIG that leads to the cluster, or a copy of that.
 */
export function containerToolPath(): string {
  return join(import.meta.dirname, "..", "..", "bin", "container-tool");
}
