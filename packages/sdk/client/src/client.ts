import { systemClock } from "./clock.ts";
import type { KubeConfig } from "./kube-config/kube-config.ts";
import type { KubeObject, Resource } from "./resource.ts";
import { createResourceClient, type ResourceClient } from "./resource-client.ts";
import { createRetryingTransport } from "./retrying-transport.ts";
import { createThrottledTransport } from "./throttled-transport.ts";
import { createTransport, type Transport, type TransportOptions } from "./transport.ts";

/** One API server, spoken to with one set of credentials and one pool of connections. */
export interface Client extends Transport {
  resource<T extends KubeObject>(resource: Resource<T>): ResourceClient<T>;
}

export interface ClientOptions extends TransportOptions {
  /**
   * Requests per second that this client sends in the long run. Default: as many as are made. API servers since 1.20
   * share their capacity among clients by themselves (priority and fairness), and answer 429 to what is too much.
   */
  qps?: number | undefined;
  /** With `qps`: requests that may be sent at once after a pause. Default 10, as client-go. */
  burst?: number | undefined;
}

/**
 * Returns a client for the current context of a kubeconfig. It sends a request again when the server asks for it with
 * `Retry-After` (`createRetryingTransport` says which).
 *
 * @throws Error when that context names no cluster
 * @throws RangeError when `qps` or `burst` is out of range
 */
export function createClient(kubeConfig: KubeConfig, options: ClientOptions = {}): Client {
  const { qps, burst = 10, clock = systemClock } = options;
  const direct = createTransport(kubeConfig, options);
  const transport = qps === undefined ? direct : createThrottledTransport(direct, { qps, burst, clock });
  return createClientOn(createRetryingTransport(transport, { clock }));
}

/** A client over a transport of one's own: one that records, or injects faults. */
export function createClientOn(transport: Transport): Client {
  return { ...transport, resource: (resource) => createResourceClient(transport, resource) };
}
