import { loadBalancers, nodeContainers, removeContainers, removeOurNetwork } from "./containers.ts";
import { kubeconfigPathFor, removeOurKubeconfig } from "./kubeconfig.ts";
import type { KindOptions } from "./prepare.ts";
import { prepare } from "./prepare.ts";
import { runKind } from "./run-kind.ts";

export interface DeleteClusterOptions extends KindOptions {
  /** Default: `kind`. */
  readonly name?: string;
  /** The file with its context. Default: KUBECONFIG, or ~/.kube/config. */
  readonly kubeconfigPath?: string;
}

/**
 * Removes nodes, load balancers and the kubeconfig entry. Also removes a kubeconfig and the network `kind`,
 * if `createCluster` has created them and nothing else uses them. Returns false if there was no such cluster.
 * Even then a kubeconfig entry is removed.
 */
export async function deleteCluster(options: DeleteClusterOptions = {}): Promise<boolean> {
  const { name = "kind", kubeconfigPath, signal } = options;
  const prepared = await prepare(options);
  const was = await nodeContainers(prepared, name, signal);
  const args = ["delete", "cluster", "--name", name];
  await runKind(prepared, kubeconfigPath ? [...args, "--kubeconfig", kubeconfigPath] : args, {
    what: `cluster ${name} was not deleted`,
    cluster: name,
    signal,
  });
  await removeContainers(prepared, await loadBalancers(prepared, name));
  await removeOurNetwork(prepared);
  await removeOurKubeconfig(kubeconfigPathFor(kubeconfigPath, prepared.env), prepared.env);
  return was.length > 0;
}
