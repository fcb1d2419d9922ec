import { nodeContainers, removeLoadBalancers, removeUnusedNetwork } from "./containers.ts";
import { kubeconfigPathFor, removeEmptyKubeconfig } from "./kubeconfig.ts";
import type { KindOptions } from "./options.ts";
import { prepare } from "./prepare.ts";
import { runKind } from "./run-kind.ts";

export interface DeleteClusterOptions extends KindOptions {
  /** Default `kind`. */
  readonly name?: string;
  /** The file that holds its context. Default: KUBECONFIG, or ~/.kube/config. */
  readonly kubeconfigPath?: string;
}

/**
 * Removes nodes, load balancers and kubeconfig entry (and the file when nothing else is in it), and the network `kind`
 * when nothing uses it any more. False: there was no such cluster; a kubeconfig entry is removed all the same.
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
  await removeLoadBalancers(prepared, name);
  await removeUnusedNetwork(prepared);
  await removeEmptyKubeconfig(kubeconfigPathFor(kubeconfigPath, prepared.env));
  return was.length > 0;
}
