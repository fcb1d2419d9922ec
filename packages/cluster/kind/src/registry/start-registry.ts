import type { KindOptions } from "../options.ts";

export interface RegistryOptions {
  /** The container's name, and its host on the network of the nodes. Default `kind-registry`. */
  readonly name?: string;
  /** Port on 127.0.0.1 of this machine; images are then `localhost:5001/…`. Default 5001. */
  readonly port?: number;
  /** Default `registry:3`. */
  readonly image?: string;
  /** Registries that it stands in for, so that a node asks it first: `["docker.io"]`. Default: none. */
  readonly mirrorOf?: readonly string[];
}

export interface Registry {
  readonly name: string;
  readonly port: number;
  /** What images are tagged with on this machine: `localhost:5001`. */
  readonly host: string;
}

/**
 * The pattern that kind documents (https://kind.sigs.k8s.io/docs/user/local-registry/): a registry in a container on the
 * network `kind`. One that runs is used. It can be there before the first cluster.
 */
export async function startRegistry(_options: RegistryOptions & KindOptions = {}): Promise<Registry> {
  throw new Error("not there yet");
}

/**
 * Tells the nodes of a cluster about it: a hosts.toml in each one's /etc/containerd/certs.d, and the ConfigMap
 * local-registry-hosting. `createCluster` does so itself when it is given a registry.
 */
export async function connectRegistry(
  _cluster: string,
  _options: RegistryOptions & KindOptions = {},
): Promise<void> {
  throw new Error("not there yet");
}

/** Removes the registry with what it holds. False: there was none. */
export async function stopRegistry(
  _options: { readonly name?: string } & KindOptions = {},
): Promise<boolean> {
  throw new Error("not there yet");
}
