import type { KindClusterConfig } from "./config/schema.ts";
import type { KindEvent } from "./kind-event.ts";
import type { KindOptions } from "./options.ts";
import type { RegistryOptions } from "./registry/start-registry.ts";

export interface CreateClusterOptions extends KindOptions {
  /** Default: the configuration's, or `kind`. */
  readonly name?: string;
  /** An object, or a file; validated before anything starts. Default: one node. */
  readonly config?: KindClusterConfig | { readonly file: string };
  /** The nodes' image. Default: KIND_NODE_IMAGE, or the one of this house's Kubernetes (`kindNodeImage` of tools). */
  readonly image?: string;
  /** Seconds until every node has to be Ready. 0: they are not waited for. Default 300. */
  readonly wait?: number;
  /** Whether nodes are kept for a look at them when creating them fails. Default false. */
  readonly retain?: boolean;
  /** Where the cluster's context is written. Default: KUBECONFIG, or ~/.kube/config. */
  readonly kubeconfigPath?: string;
  /** A registry on the network of the nodes, started if it is not there. Default: none. */
  readonly registry?: RegistryOptions;
  readonly onProgress?: (event: KindEvent) => void;
}

export interface KindCluster {
  readonly name: string;
  /** The file that holds the context. */
  readonly kubeconfigPath: string;
  /** `kind-<name>` */
  readonly context: string;
  /** Names of the nodes, which are those of their containers: the control plane first. */
  readonly nodes: readonly string[];
}

/**
 * Creates a cluster and waits until all of its nodes are Ready. Throws KindError; then, and when the signal aborts, what
 * was made is removed again: containers, kubeconfig entry, a registry that this call started.
 */
export async function createCluster(_options: CreateClusterOptions = {}): Promise<KindCluster> {
  throw new Error("not there yet");
}
