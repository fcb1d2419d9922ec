import { startApiServer } from "@operator-path/apiserver";
import { type Clock, createClient, type KubeConfig, systemClock } from "@operator-path/client";
import { type ControllerName, startControllerManager } from "@operator-path/controller-manager";

/** The controllers that delete objects, for tests of ownership and finalizers. */
const cleaners: ControllerName[] = ["namespace-controller", "garbage-collector-controller"];

export interface ClusterSetting {
  readonly clock: Clock | undefined;
  readonly log: (line: string) => void;
}

type Provider = "embedded" | "envtest";

/** A running cluster, and how to stop it. */
export interface StartedCluster {
  readonly kubeConfig: KubeConfig;
  stop(): Promise<void>;
}

/** Starts a cluster in this process. */
export async function startHere(
  provider: Provider,
  controllers: boolean,
  setting: ClusterSetting,
): Promise<StartedCluster> {
  await using undo = new AsyncDisposableStack();
  const deletion = Promise.withResolvers<void>();
  const kubeConfig = controllers
    ? await startWhole(provider, setting, undo)
    : await startServer(provider, setting, undo, deletion.resolve);
  if (!controllers) cleanAfter(deletion.promise, kubeConfig, setting, undo);
  const running = undo.move();
  return { kubeConfig, stop: () => running.disposeAsync() };
}

/**
 * In milliseconds. Before the first deletion there is little to clean up: only dependents of missing owners.
 */
const patience = 5_000;

/**
 * Starts the controllers at the first deletion, without waiting for them. They watch every kind, which costs
 * three times as much as the API server, and most test files delete nothing.
 */
function cleanAfter(
  deletion: Promise<void>,
  kubeConfig: KubeConfig,
  setting: ClusterSetting,
  undo: AsyncDisposableStack,
): void {
  const { clock = systemClock } = setting;
  const stopping = new AbortController();
  let stop: (() => Promise<void>) | undefined;
  const timer = clock.sleep(patience, stopping.signal).catch(() => {});
  void Promise.race([deletion, timer]).then(() => {
    if (!stopping.signal.aborted) stop = startCleaning(kubeConfig, setting);
  });
  undo.defer(async () => {
    stopping.abort();
    await stop?.();
  });
}

function startCleaning(kubeConfig: KubeConfig, { clock, log }: ClusterSetting): () => Promise<void> {
  const client = createClient(kubeConfig, { userAgent: "kube-controller-manager", onWarning: () => {} });
  const manager = startControllerManager({
    ...{ client, controllers: cleaners, clock },
    log: (line) => log(`controller-manager: ${line}`),
  });
  return async () => {
    await manager.stop();
    await client.close();
  };
}

async function startServer(
  provider: Provider,
  { clock, log }: ClusterSetting,
  undo: AsyncDisposableStack,
  onDeletion: () => void,
): Promise<KubeConfig> {
  const server =
    provider === "embedded"
      ? await startApiServer({
          clock,
          log: (line) => log(`apiserver: ${line}`),
          onRequest: ({ method }) => void (method === "DELETE" && onDeletion()),
        })
      : await startRealServer(log);
  // A real API server does not report its requests.
  if (provider === "envtest") onDeletion();
  undo.defer(() => server.stop());
  return server.kubeConfig();
}

// Loaded on demand, because most tests do not need it.

async function startRealServer(log: (line: string) => void) {
  const { findControlPlane } = await import("@operator-path/tools");
  const { startRealControlPlane } = await import("../envtest/control-plane.ts");
  const { etcd, apiserver } = await findControlPlane({ controllerManager: false, log });
  return startRealControlPlane({ programs: { etcd, apiserver } });
}

async function startWhole(
  provider: Provider,
  { clock, log }: ClusterSetting,
  undo: AsyncDisposableStack,
): Promise<KubeConfig> {
  const name = "test";
  if (provider === "envtest") {
    const { startEnvtestCluster } = await import("../envtest/start.ts");
    const cluster = await startEnvtestCluster({ name, log });
    undo.defer(() => cluster.stop());
    return cluster.kubeConfig;
  }
  const { startEmbeddedCluster } = await import("../embedded/start.ts");
  const cluster = await startEmbeddedCluster({ name, log, ...(clock ? { clock } : {}) });
  undo.defer(() => cluster.stop());
  return cluster.kubeConfig;
}
