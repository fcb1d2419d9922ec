import { type CreateClusterOptions, createCluster } from "./create-cluster.ts";
import { KindError } from "./errors/kind-error.ts";
import { exportKubeconfig } from "./get.ts";
import { type ClusterState, inspectCluster } from "./inspect-cluster.ts";
import { connectRegistry } from "./registry/connect-registry.ts";
import { startRegistry } from "./registry/start-registry.ts";

/**
 * Takes a cluster of that name that is there and well, whose context becomes the current one, or creates it. Twice is once.
 * Throws KindError `unhealthy` for one that is there and cannot be used, and what createCluster throws.
 */
export async function ensureCluster(
  options: CreateClusterOptions & { readonly name: string },
): Promise<ClusterState> {
  const { name, registry } = options;
  const there = await inspectCluster(name, options);
  if (there.problem) {
    throw new KindError({
      problem: "unhealthy",
      what: `cluster ${name} is there, and cannot be used`,
      ...there.problem,
    });
  }
  if (there.nodes.length === 0) {
    await createCluster(options);
    return inspectCluster(name, options);
  }
  await exportKubeconfig(name, options);
  if (registry) {
    const { name: _cluster, image: _ofNodes, ...common } = options;
    await startRegistry({ ...common, ...registry });
    await connectRegistry(name, { ...common, ...registry });
  }
  return there;
}
