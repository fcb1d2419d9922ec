import type { EmbeddedCluster, EmbeddedClusterOptions } from "./embedded/start.ts";
import type { EnvtestCluster, EnvtestClusterOptions } from "./envtest/start.ts";

// Clusters in the caller's own process. API server, controllers and kubelet are loaded by whoever starts one: programs
// whose clusters are other processes, or somebody else's, need none of them.

/** As `startEmbeddedCluster` of `embedded/start.ts`. */
export async function startEmbeddedCluster(options?: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const embedded = await import("./embedded/start.ts");
  return embedded.startEmbeddedCluster(options);
}

/** As `startEnvtestCluster` of `envtest/start.ts`. */
export async function startEnvtestCluster(options?: EnvtestClusterOptions): Promise<EnvtestCluster> {
  const envtest = await import("./envtest/start.ts");
  return envtest.startEnvtestCluster(options);
}
