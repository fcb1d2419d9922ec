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
  return containersWith(tools, `label=${clusterLabel}=${cluster}`, signal);
}

/** Names of what cloud-provider-kind has made: for a cluster, or for all. */
export function loadBalancers(tools: Tools, cluster?: string): Promise<string[]> {
  return containersWith(tools, `label=${loadBalancerLabel}${cluster === undefined ? "" : `=${cluster}`}`);
}

export async function removeContainers(
  tools: Tools,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  if (names.length === 0) return;
  await runEngine(tools, ["rm", "--force", "--volumes", ...names], {
    what: `the containers ${names.join(", ")} were not removed`,
    signal,
  });
}

/** Names of the containers, running or not, that a filter of the engine lets through. */
export async function containersWith(tools: Tools, filter: string, signal?: AbortSignal): Promise<string[]> {
  const what = "the engine's containers could not be listed";
  if (signal?.aborted) throw aborted(what);
  const args = ["ps", "--all", "--filter", filter, "--format", "{{.Names}}"];
  const { stdout } = await runEngine(tools, args, { what, signal });
  return stdout.split("\n").filter((line) => line.trim() !== "");
}
