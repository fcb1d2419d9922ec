import type { EmbeddedCluster, EmbeddedClusterOptions } from "./embedded/start.ts";
import type { EnvtestCluster, EnvtestClusterOptions } from "./envtest/start.ts";

// Starts clusters in the caller's own process. API server, controllers and kubelet are loaded on demand,
// because programs that use other clusters need none of them.

/** See `startEmbeddedCluster` of `embedded/start.ts`. */
export async function startEmbeddedCluster(options?: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const embedded = await import("./embedded/start.ts");
  return embedded.startEmbeddedCluster(options);
}

/** See `startEnvtestCluster` of `envtest/start.ts`. */
export async function startEnvtestCluster(options?: EnvtestClusterOptions): Promise<EnvtestCluster> {
  const envtest = await import("./envtest/start.ts");
  return envtest.startEnvtestCluster(options);
}
