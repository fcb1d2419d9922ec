import { kindNodeImage } from "@operator-path/tools";
import type { ReadKindConfig } from "./config/schema.ts";
import { type CreateClusterOptions, createCluster, readConfig } from "./create-cluster.ts";
import { KindError } from "./errors/kind-error.ts";
import { exportKubeconfig } from "./get.ts";
import { type ClusterState, inspectCluster } from "./inspect-cluster.ts";
import { connectRegistry, startRegistry } from "./registry.ts";

export interface EnsuredCluster extends ClusterState {
  /** Whether this call has created it. */
  readonly created: boolean;
  /** How an existing cluster differs from the options, one sentence each. */
  readonly differences: readonly string[];
}

/**
 * Returns the healthy cluster of that name, and makes its context the current one. Creates the cluster if it
 * is missing, so that a second call changes nothing.
 *
 * @throws KindError `unhealthy` if the cluster exists and cannot be used, and what createCluster throws
 */
export async function ensureCluster(
  options: CreateClusterOptions & { readonly name: string },
): Promise<EnsuredCluster> {
  const { name, registry } = options;
  const config = await readConfig(options.config);
  const there = await inspectCluster(name, options);
  if (there.problem) {
    throw new KindError({
      problem: "unhealthy",
      what: `cluster ${name} exists, but cannot be used`,
      ...there.problem,
    });
  }
  if (there.nodes.length === 0) {
    await createCluster(options);
    return { ...(await inspectCluster(name, options)), created: true, differences: [] };
  }
  await exportKubeconfig(name, options);
  if (registry) {
    const { name: _cluster, image: _ofNodes, ...common } = options;
    await startRegistry({ ...common, ...registry });
    await connectRegistry(name, { ...common, ...registry });
  }
  const { env = process.env, image = env.KIND_NODE_IMAGE || kindNodeImage } = options;
  return { ...there, created: false, differences: differences(there, config, image) };
}

function differences(
  { name, nodes, version = "" }: ClusterState,
  config: ReadKindConfig,
  image: string,
): string[] {
  const wanted = (config.nodes ?? [{ role: "control-plane" as const }]).map(({ role }) => role);
  const said = (["control-plane", "worker"] as const).flatMap((role) => {
    const has = nodes.filter((node) => node.startsWith(`${name}-${role}`)).length;
    const asked = wanted.filter((each) => each === role).length;
    return has === asked
      ? []
      : [`cluster ${name} already existed: it has ${has} of role ${role}, not ${asked}`];
  });
  const minor = /:(v\d+\.\d+)\./.exec(image)?.[1];
  if (minor !== undefined && !version.startsWith(`${minor}.`)) {
    said.push(`cluster ${name} already existed: it runs Kubernetes ${version}, not ${minor}`);
  }
  return said;
}
