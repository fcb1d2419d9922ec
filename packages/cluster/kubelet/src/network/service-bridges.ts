import { type HostPort, openHostPort } from "./host-port.ts";
import type { PodNetwork } from "./pod-network.ts";
import type { ServiceTable } from "./service-routes.ts";

/** Loopback ports of this machine behind which Services are, for a client outside of the cluster's network: the API server. */
export interface ServiceBridges {
  /**
   * Where the Service's port is reached; opened when it is first asked for.
   * @throws Error in the words of a real API server, when there is no such Service, port, or ready endpoint
   */
  resolve(namespace: string, name: string, port: number): Promise<{ host: string; port: number }>;
  close(): Promise<void>;
}

export function createServiceBridges(table: ServiceTable, network: PodNetwork): ServiceBridges {
  const open = new Map<string, Promise<HostPort>>();
  return {
    async resolve(namespace, name, port) {
      table.endpoint(namespace, name, port);
      const key = `${namespace}/${name}:${port}`;
      let bridge = open.get(key);
      if (bridge === undefined) {
        const dial = async () => {
          const { ip, port: target } = table.endpoint(namespace, name, port);
          return network.dial(ip, target);
        };
        bridge = openHostPort({ host: "127.0.0.1", port: 0, dial });
        open.set(key, bridge);
        bridge.catch(() => open.delete(key));
      }
      const { host, port: hostPort } = await bridge;
      return { host, port: hostPort };
    },
    async close() {
      const all = await Promise.allSettled(open.values());
      open.clear();
      await Promise.all(all.map((one) => (one.status === "fulfilled" ? one.value.close() : undefined)));
    },
  };
}
