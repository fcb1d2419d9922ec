import { aborted } from "./errors/kind-error.ts";
import type { Prepared } from "./prepare.ts";
import { runEngine } from "./run-kind.ts";

/** kind's own label of a node, whatever the engine. */
const clusterLabel = "io.x-k8s.kind.cluster";
/** cloud-provider-kind's, of a load balancer. */
const loadBalancerLabel = "io.x-k8s.cloud-provider-kind.cluster";

type Tools = Omit<Prepared, "kind">;

/** Names of a cluster's containers, running or not: asked of the engine, as kind lists nothing while it is half made. */
export async function nodeContainers(tools: Tools, cluster: string, signal?: AbortSignal): Promise<string[]> {
  return containers(tools, `label=${clusterLabel}=${cluster}`, signal);
}

/** Removes what cloud-provider-kind has made for a cluster. */
export async function removeLoadBalancers(tools: Tools, cluster: string): Promise<void> {
  await removeContainers(tools, await containers(tools, `label=${loadBalancerLabel}=${cluster}`));
}

export async function removeContainers(tools: Tools, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await runEngine(tools, ["rm", "--force", "--volumes", ...names], {
    what: `the containers ${names.join(", ")} were not removed`,
  });
}

/** Removes kind's network when no container, running or not, is on it. One that somebody else named is left. */
export async function removeUnusedNetwork(tools: Tools): Promise<boolean> {
  if (tools.env.KIND_EXPERIMENTAL_DOCKER_NETWORK) return false;
  const what = "the network kind was not removed";
  const { stdout } = await runEngine(tools, ["network", "ls", "--format", "{{.Name}}"], { what });
  if (!stdout.split("\n").includes("kind")) return false;
  if ((await containers(tools, "network=kind")).length > 0) return false;
  await runEngine(tools, ["network", "rm", "kind"], { what });
  return true;
}

async function containers(tools: Tools, filter: string, signal?: AbortSignal): Promise<string[]> {
  const what = "the engine's containers could not be listed";
  if (signal?.aborted) throw aborted(what);
  const args = ["ps", "--all", "--filter", filter, "--format", "{{.Names}}"];
  const { stdout } = await runEngine(tools, args, { what, signal });
  return stdout.split("\n").filter((line) => line.trim() !== "");
}
