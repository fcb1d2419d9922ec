import { systemClock } from "./clock.ts";
import type { KubeConfig } from "./kube-config/kube-config.ts";
import type { KubeObject, Resource } from "./resource.ts";
import { createResourceClient, type ResourceClient } from "./resource-client.ts";
import { createRetryingTransport } from "./retrying-transport.ts";
import { createThrottledTransport } from "./throttled-transport.ts";
import { createTransport, type Transport, type TransportOptions } from "./transport.ts";

/** A client of one API server, with one user and one pool of connections. */
export interface Client extends Transport {
  /** Returns the verbs of a resource, such as `client.resource(pods)`. Sends nothing. */
  resource<T extends KubeObject>(resource: Resource<T>): ResourceClient<T>;
}

/** Configures `createClient`. */
export interface ClientOptions extends TransportOptions {
  /**
   * The maximum number of requests per second in the long run. Default: no limit. Since Kubernetes 1.20 the
   * API server itself divides its capacity among clients (API Priority and Fairness) and answers excess
   * requests with 429.
   */
  qps?: number | undefined;
  /**
   * With `qps`: the number of requests that may be sent at once after a pause. Default 10, as in client-go.
   */
  burst?: number | undefined;
}

/**
 * Returns a client for the current context of a kubeconfig. It repeats requests that the server answers with
 * `Retry-After`; see `createRetryingTransport`.
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

/** Returns a client over your own transport, for example one that records requests or injects faults. */
export function createClientOn(transport: Transport): Client {
  return { ...transport, resource: (resource) => createResourceClient(transport, resource) };
}
