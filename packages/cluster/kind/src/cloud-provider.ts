import type { KindOptions } from "./options.ts";

export interface CloudProvider {
  /** Ends it, and removes the containers of its load balancers. */
  stop(): Promise<void>;
}

/**
 * Starts cloud-provider-kind (https://github.com/kubernetes-sigs/cloud-provider-kind), which gives Services of type
 * LoadBalancer an address, when it is on the PATH. Undefined: it is not.
 */
export async function startCloudProvider(_options: KindOptions = {}): Promise<CloudProvider | undefined> {
  throw new Error("not there yet");
}
