import type { Duplex } from "node:stream";
import type { Client, Clock } from "@operator-path/client";
import { type HostPort, openHostPort } from "./host-port.ts";
import { createPodNetwork, type PodNetwork } from "./pod-network.ts";
import { runServiceListeners } from "./service-listeners.ts";
import { type ServiceTable, startServiceTable } from "./service-routes.ts";

export interface ClusterNetworkOptions {
  client: Client;
  /** Default: a new network. */
  network?: PodNetwork;
  /** The API server's port on 127.0.0.1, to which default/kubernetes leads. */
  apiServerPort?: number;
  /** Default: the system clock. */
  clock?: Clock;
  /** Receives one message per failure. Default: messages are dropped. */
  log?: (message: string) => void;
}

/** The network of one cluster: Pods, Services, names, and the ports that this machine reaches. */
export interface ClusterNetwork {
  readonly pods: PodNetwork;
  /**
   * Returns the loopback address of a Service's port, for webhooks.
   * @throws Error when the Service has no ready endpoint
   */
  resolveService(namespace: string, name: string, port: number): Promise<{ host: string; port: number }>;
  /**
   * Connects to an endpoint of a Service.
   * @param port its number or name
   * @throws Error as resolveService does
   * @throws DialError
   */
  dialService(namespace: string, name: string, port: number | string): Promise<Duplex>;
  /** Closes every socket. */
  stop(): Promise<void>;
}

/**
 * Starts the DNS, kube-proxy, node ports and load balancer of a cluster. Resolves when its Services are
 * listed.
 */
export async function startClusterNetwork(options: ClusterNetworkOptions): Promise<ClusterNetwork> {
  const { client, network = createPodNetwork(), clock, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const table = await startServiceTable({ client, apiServerPort: options.apiServerPort, clock, log, signal });
  network.useServices(table);
  const bridges = createServiceBridges(table, network);
  const listeners = runServiceListeners({ client, network, table, clock, log, signal });
  return {
    pods: network,
    resolveService: bridges.resolve,
    async dialService(namespace, name, port) {
      const endpoint = table.endpoint(namespace, name, port);
      return network.dial(endpoint.ip, endpoint.port);
    },
    async stop() {
      stopping.abort();
      await Promise.all([listeners, table.done, bridges.close()]);
    },
  };
}

/** Loopback ports that lead to Services, for a client outside of the cluster's network: the API server. */
interface ServiceBridges {
  /**
   * Returns the address that leads to the Service's port. The first call opens it.
   * @throws Error with the message of a real API server, when the Service, the port, or a ready endpoint is
   *   missing
   */
  resolve(namespace: string, name: string, port: number): Promise<{ host: string; port: number }>;
  close(): Promise<void>;
}

function createServiceBridges(table: ServiceTable, network: PodNetwork): ServiceBridges {
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
