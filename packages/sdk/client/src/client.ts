import type { KubeConfig } from "./kube-config/kube-config.ts";
import type { KubeObject, Resource } from "./resource.ts";
import { createResourceClient, type ResourceClient } from "./resource-client.ts";
import { createTransport, type Transport, type TransportOptions } from "./transport.ts";

/** One API server, spoken to with one set of credentials and one pool of connections. */
export interface Client extends Transport {
  resource<T extends KubeObject>(resource: Resource<T>): ResourceClient<T>;
}

/**
 * A client for the current context of a kubeconfig.
 *
 * @throws Error when that context names no cluster
 */
export function createClient(kubeConfig: KubeConfig, options: TransportOptions = {}): Client {
  return createClientOn(createTransport(kubeConfig, options));
}

/** A client over a transport of one's own: one that records, or injects faults. */
export function createClientOn(transport: Transport): Client {
  return { ...transport, resource: (resource) => createResourceClient(transport, resource) };
}
