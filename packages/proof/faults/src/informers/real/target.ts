import { startApiServer } from "@operator-path/apiserver";
import {
  type Client,
  createClient,
  customResourceDefinitions,
  type TransportOptions,
} from "@operator-path/client";
import { startRealControlPlane } from "@operator-path/cluster/real-control-plane";
import { findControlPlane, ToolNotFoundError } from "@operator-path/tools";
import { widgetDefinition } from "./kinds.ts";

export type Provider = "embedded" | "envtest";

/** A server for histories, reached directly: the proxies stand in front of it. */
export interface Target {
  readonly provider: Provider;
  readonly port: number;
  /** Returns a new client, which the caller closes. Default port: the server's own, past all faults. */
  connect(options?: TransportOptions, port?: number): Client;
  stop(): Promise<void>;
}

/** Starts the server. Resolves to undefined if its programs are missing: nothing is built or downloaded. */
export async function startTarget(provider: Provider, env: NodeJS.ProcessEnv): Promise<Target | undefined> {
  const server = await startServer(provider, env);
  if (!server) return undefined;
  const connect = (options: TransportOptions = {}, port = server.port) => {
    const kubeConfig = server.kubeConfig();
    const url = `https://127.0.0.1:${port}`;
    kubeConfig.clusters = kubeConfig.clusters.map((cluster) => ({ ...cluster, server: url }));
    return createClient(kubeConfig, options);
  };
  const client = connect();
  await client.resource(customResourceDefinitions).create(widgetDefinition);
  await client.close();
  return { provider, port: server.port, connect, stop: () => server.stop() };
}

async function startServer(provider: Provider, env: NodeJS.ProcessEnv) {
  if (provider === "embedded") return startApiServer({ log: (line) => console.error(line) });
  try {
    const { etcd, apiserver } = await findControlPlane({ env, mayBuild: false });
    return await startRealControlPlane({ programs: { etcd, apiserver } });
  } catch (error) {
    if (error instanceof ToolNotFoundError) return undefined;
    throw error;
  }
}
