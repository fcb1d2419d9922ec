import type { Duplex } from "node:stream";
import type { Client, Clock } from "@operator-path/client";
import { createPodNetwork, type PodNetwork } from "./pod-network.ts";
import { createServiceBridges } from "./service-bridges.ts";
import { runServiceListeners } from "./service-listeners.ts";
import { startServiceTable } from "./service-routes.ts";

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
export async function startClusterNetwork(o: ClusterNetworkOptions): Promise<ClusterNetwork> {
  const { client, network = createPodNetwork(), clock, log } = o;
  const stopping = new AbortController();
  const { signal } = stopping;
  const table = await startServiceTable({ client, apiServerPort: o.apiServerPort, clock, log, signal });
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
