import { startApiServer } from "@operator-path/apiserver";
import {
  type Client,
  type Clock,
  createClientOn,
  createTransport,
  KubeConfig,
  namespaces,
  type Transport,
} from "@operator-path/client";
import { startControllerManager } from "../controller-manager.ts";
import { type FakeKubelet, type FakeKubeletOptions, startFakeKubelet } from "./fake-kubelet.ts";

/** For `expect.poll`: how long to wait for the cluster. Long, because the machine may be busy. */
export const within = { timeout: 60_000, interval: 20 };

export interface TestCluster {
  /** For the test itself. */
  client: Client;
  /** The controllers' log lines. */
  logged: string[];
  /** Starts a controller manager with its own transport, which the test may wrap. */
  startManager(options?: {
    interfere?: (transport: Transport) => Transport;
    clock?: Clock;
  }): Promise<RunningManager>;
  startKubelet(options?: FakeKubeletOptions): Promise<FakeKubelet>;
  /** Creates a new namespace, and resolves with its name. */
  namespace(): Promise<string>;
  stop(): Promise<void>;
}

interface RunningManager {
  stop(): Promise<void>;
}

/**
 * For tests: starts the embedded API server. With TEST_KUBECONFIG in the environment, uses the API server
 * that it names, which must have neither controllers nor nodes. These tests were compared with a real one
 * this way.
 */
export async function startTestCluster(): Promise<TestCluster> {
  const server = await startServer();
  const client = createClientOn(createTransport(server.kubeConfig));
  const logged: string[] = [];
  const stops: (() => Promise<void>)[] = [];
  const run = Date.now().toString(36);
  let count = 0;

  return {
    client,
    logged,

    async startManager({ interfere = (transport: Transport) => transport, clock } = {}) {
      const own = createClientOn(interfere(createTransport(server.kubeConfig)));
      const { caCertificate } = server;
      const manager = startControllerManager({
        client: own,
        caCertificate,
        log: (line) => logged.push(line),
        ...(clock && { clock }),
      });
      let stopped: Promise<void> | undefined;
      const stop = () => {
        stopped ??= manager.stop().then(() => own.close());
        return stopped;
      };
      stops.push(stop);
      await manager.ready;
      return { stop };
    },

    async startKubelet(options) {
      const kubelet = await startFakeKubelet(client, options);
      stops.push(kubelet.stop);
      return kubelet;
    },

    async namespace() {
      const name = `test-${run}-${++count}`;
      await client.resource(namespaces).create({ metadata: { name } });
      return name;
    },

    async stop() {
      for (const stop of stops.toReversed()) await stop();
      await client.close();
      await server.stop();
    },
  };
}

async function startServer() {
  const path = process.env.TEST_KUBECONFIG;
  if (path === undefined) {
    const server = await startApiServer();
    return { kubeConfig: server.kubeConfig(), caCertificate: server.caCertificate, stop: server.stop };
  }
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(path);
  return { kubeConfig, caCertificate: "of a real server", stop: async () => {} };
}

/** Wraps a transport. Each chunk of the watches of `path` waits for `release()` first. */
export function delayEvents(
  transport: Transport,
  path: string,
  release: () => Promise<void> | undefined,
): Transport {
  return {
    ...transport,
    async stream(request) {
      const response = await transport.stream(request);
      if (request.path !== path) return response;
      return { ...response, body: delayed(response.body) };
    },
  };

  async function* delayed(body: AsyncIterable<Uint8Array>) {
    for await (const chunk of body) {
      await release();
      yield chunk;
    }
  }
}
