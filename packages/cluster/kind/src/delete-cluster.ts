import type { KindOptions } from "./options.ts";

export interface DeleteClusterOptions extends KindOptions {
  /** Default `kind`. */
  readonly name?: string;
  /** The file that holds its context. Default: KUBECONFIG, or ~/.kube/config. */
  readonly kubeconfigPath?: string;
}

/** Removes nodes and kubeconfig entry, and the network `kind` when nothing uses it any more. False: there was no such cluster. */
export async function deleteCluster(_options: DeleteClusterOptions = {}): Promise<boolean> {
  throw new Error("not there yet");
}
