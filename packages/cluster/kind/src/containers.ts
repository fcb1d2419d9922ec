import { aborted } from "./errors/kind-error.ts";
import { isOurs, recordAsOurs, removeRecord } from "./ours.ts";
import type { Prepared } from "./prepare.ts";
import { runEngine } from "./run-kind.ts";

/** kind's own label of a node, whatever the engine. */
const clusterLabel = "io.x-k8s.kind.cluster";
/** cloud-provider-kind's label of a load balancer. */
const loadBalancerLabel = "io.x-k8s.cloud-provider-kind.cluster";

type Tools = Omit<Prepared, "kind">;

/**
 * Returns the names of a cluster's containers, running or not. Asks the engine, because kind lists no
 * half-created cluster.
 */
export async function nodeContainers(tools: Tools, cluster: string, signal?: AbortSignal): Promise<string[]> {
  return containersWith(tools, `label=${clusterLabel}=${cluster}`, signal);
}

/** Returns the names of cloud-provider-kind's containers, for one cluster or for all. */
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

/** Returns the names of the containers, running or not, that match a filter of the engine. */
async function containersWith(tools: Tools, filter: string, signal?: AbortSignal): Promise<string[]> {
  const what = "the engine's containers could not be listed";
  if (signal?.aborted) throw aborted(what);
  const args = ["ps", "--all", "--filter", filter, "--format", "{{.Names}}"];
  const { stdout } = await runEngine(tools, args, { what, signal });
  return stdout.split("\n").filter((line) => line.trim() !== "");
}

/** Returns the network of all kind clusters of an engine. The environment can name another one. */
export function networkName({ engine, env }: Tools): string {
  const named =
    engine.name === "podman" ? env.KIND_EXPERIMENTAL_PODMAN_NETWORK : env.KIND_EXPERIMENTAL_DOCKER_NETWORK;
  return (engine.name === "nerdctl" ? undefined : named) || "kind";
}

/**
 * Returns the network's id, or undefined if it does not exist. Throws KindError if the engine does not
 * answer.
 */
export async function networkId(tools: Tools, signal?: AbortSignal): Promise<string | undefined> {
  const args = ["network", "ls", "--no-trunc", "--format", "{{.ID}} {{.Name}}"];
  const what = "the engine's networks could not be listed";
  const { stdout } = await runEngine(tools, args, { what, signal });
  const lines = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  return lines.find(([, name]) => name === networkName(tools))?.[0];
}

/** Records that we may remove the network, if it did not exist before. */
export async function recordNetwork(tools: Tools, before: string | undefined): Promise<void> {
  const now = await networkId(tools);
  if (before === undefined && now !== undefined) await recordAsOurs("network", now, tools.env);
}

/**
 * Removes the network if it is ours and no container, running or not, uses it. If another process starts to
 * use it, the engine rejects the removal.
 */
export async function removeOurNetwork(tools: Tools, signal?: AbortSignal): Promise<void> {
  const id = await networkId(tools, signal);
  if (id === undefined || !isOurs("network", id, tools.env)) return;
  const name = networkName(tools);
  if ((await containersWith(tools, `network=${name}`, signal)).length > 0) return;
  const what = `the network ${name} was not removed`;
  const removed = await runEngine(tools, ["network", "rm", name], { what, signal }).catch(() => undefined);
  if (removed) await removeRecord("network", id, tools.env);
}
