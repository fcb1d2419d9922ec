import { resolve } from "node:path";
import { type KindOptions, prepare } from "./prepare.ts";
import { runKind } from "./run-kind.ts";

/** Returns the names of the clusters that this engine runs. */
export async function listClusters(options: KindOptions = {}): Promise<string[]> {
  const { stdout } = await runKind(await prepare(options), ["get", "clusters"], {
    what: "the clusters could not be listed",
    signal: options.signal,
  });
  return lines(stdout);
}

/**
 * Returns the names of a cluster's nodes, which are also their containers' names. The control plane comes
 * first. Empty if there is no such cluster.
 */
export async function listNodes(name: string, options: KindOptions = {}): Promise<string[]> {
  const { stdout } = await runKind(await prepare(options), ["get", "nodes", "--name", name], {
    what: `the nodes of cluster ${name} could not be listed`,
    signal: options.signal,
  });
  return sortNodes(lines(stdout), name);
}

/**
 * Returns the cluster's kubeconfig. `internal` makes one for programs on the network of the nodes. Throws
 * KindError `no-cluster`.
 */
export async function getKubeconfig(
  name: string,
  options: KindOptions & { readonly internal?: boolean } = {},
): Promise<string> {
  const args = ["get", "kubeconfig", "--name", name, ...(options.internal ? ["--internal"] : [])];
  const { stdout } = await runKind(await prepare(options), args, {
    what: `cluster ${name} has no kubeconfig`,
    cluster: name,
    signal: options.signal,
  });
  return `${stdout.trimEnd()}\n`;
}

/**
 * Writes the cluster's context to a kubeconfig (default: KUBECONFIG, or ~/.kube/config), and makes it the
 * current one.
 */
export async function exportKubeconfig(
  name: string,
  options: KindOptions & { readonly kubeconfigPath?: string } = {},
): Promise<void> {
  const { kubeconfigPath, signal } = options;
  const args = ["export", "kubeconfig", "--name", name];
  await runKind(await prepare(options), kubeconfigPath ? [...args, "--kubeconfig", kubeconfigPath] : args, {
    what: `the kubeconfig of cluster ${name} was not written`,
    cluster: name,
    signal,
  });
}

/**
 * Sorts names, which kind lists in the engine's order: `dev-control-plane`, `dev-control-plane2`, …, then
 * workers, and a load balancer last.
 */
export function sortNodes(nodes: readonly string[], cluster: string): string[] {
  const rank = (node: string): number => {
    const role = node.slice(cluster.length + 1);
    return role.startsWith("control-plane") ? 0 : role.startsWith("worker") ? 1 : 2;
  };
  return nodes.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b, "en", { numeric: true }));
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

/**
 * Writes the logs of nodes and Pods below `directory`, which is created if missing. Returns its absolute
 * path.
 */
export async function exportLogs(
  name: string,
  directory: string,
  options: KindOptions = {},
): Promise<string> {
  const path = resolve(directory);
  await runKind(await prepare(options), ["export", "logs", path, "--name", name], {
    what: `the logs of cluster ${name} were not exported`,
    cluster: name,
    signal: options.signal,
  });
  return path;
}
