import type { Duplex } from "node:stream";
import type { Client, Clock } from "@operator-path/client";
import { type HostPort, openHostPort } from "./host-port.ts";
import { createPodNetwork, type PodNetwork } from "./pod-network.ts";
import { runServiceListeners } from "./service-listeners.ts";
import { type ServiceTable, startServiceTable } from "./service-routes.ts";

export interface ClusterNetworkOptions {
  client: Client;
  /** Default: one of its own. */
  network?: PodNetwork;
  /** Port of the API server on 127.0.0.1: what default/kubernetes stands for. */
  apiServerPort?: number;
  clock?: Clock;
  log?: (message: string) => void;
}

/** The network of one cluster: Pods, Services, names, and what of them this machine reaches. */
export interface ClusterNetwork {
  readonly pods: PodNetwork;
  /** Loopback address of a Service's port, for webhooks. @throws Error when there is no ready endpoint */
  resolveService(namespace: string, name: string, port: number): Promise<{ host: string; port: number }>;
  /** A byte stream to an endpoint of a Service. @param port number or name @throws Error as resolveService, DialError */
  dialService(namespace: string, name: string, port: number | string): Promise<Duplex>;
  /** Closes every socket. */
  stop(): Promise<void>;
}

/** Starts DNS, kube-proxy, node ports and load balancer of a cluster. Resolves when its Services are known. */
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
