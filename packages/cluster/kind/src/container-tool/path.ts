import { join } from "node:path";

/**
 * A program for CONTAINER_TOOL of a Makefile, on kind. `build …` is the engine's own build, with `--build-arg NAME` for each
 * of NODE_IMAGE and HELM_IMAGE that the environment has; `push IMAGE` loads the image into the cluster (KIND_CLUSTER,
 * default `kind`) instead; everything else is the engine's own. Exits as the engine does, or with 1 and `error: …`.
 */
export function containerToolPath(): string {
  return join(import.meta.dirname, "..", "..", "bin", "kind-container-tool");
}
