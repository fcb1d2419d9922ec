import type { KindOptions } from "./options.ts";

/** Names of the clusters that this engine runs. */
export async function listClusters(_options: KindOptions = {}): Promise<string[]> {
  throw new Error("not there yet");
}

/** Names of a cluster's nodes, which are those of their containers. Empty: there is no such cluster. */
export async function listNodes(_name: string, _options: KindOptions = {}): Promise<string[]> {
  throw new Error("not there yet");
}

/** The cluster's kubeconfig; `internal`: for programs on the network of the nodes. */
export async function getKubeconfig(
  _name: string,
  _options: KindOptions & { readonly internal?: boolean } = {},
): Promise<string> {
  throw new Error("not there yet");
}
