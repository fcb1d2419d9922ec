import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { KubeConfig } from "@operator-path/client";
import { findControlPlane } from "@operator-path/tools";
import type { Cluster } from "../cluster.ts";
import type { EmbeddedCluster, EmbeddedClusterOptions } from "../embedded/start.ts";
import type { EnvtestCluster, EnvtestClusterOptions } from "../envtest/start.ts";
import { remoteFaults } from "../faults/remote-faults.ts";
import { type NodePlan, nameNodes } from "../node-plan.ts";
import type { EnvtestOrder } from "./launch.ts";
import { launch, logName } from "./launch.ts";

/** Options for a cluster in another process, without clocks and functions. */
export type SpawnOptions = Omit<EmbeddedClusterOptions, "clock" | "log" | "fence">;

export interface SpawnedCluster extends Omit<EmbeddedCluster, "fence"> {
  readonly pid: number;
}

/** How long a stopped cluster may take before it is killed. */
const patienceMs = 30_000;

/**
 * Like startEmbeddedCluster, but in a child process, so that the event loops of the caller and the cluster do
 * not disturb each other. The child ends when this process ends, even after kill -9, because the IPC channel
 * closes. A Ctrl+C in the terminal does not reach the child. Its output is in `cluster.log` beside the
 * kubeconfig. stop() removes both.
 */
export async function spawnEmbeddedCluster(options: SpawnOptions = {}): Promise<SpawnedCluster> {
  const { child, ...cluster } = await spawnCluster(options);
  return { provider: "embedded", ...cluster, faults: remoteFaults(child) };
}

/**
 * Options for a real control plane with its nodes in another process. `log` receives the programs that were
 * found, and the progress of a build.
 */
export type SpawnEnvtestOptions = SpawnOptions &
  Pick<EnvtestClusterOptions, "controllers" | "programs" | "log">;

export type SpawnedEnvtestCluster = Omit<EnvtestCluster, "broken" | "fence"> & { readonly pid: number };

/**
 * Like startEnvtestCluster, but in a child process, as spawnEmbeddedCluster does. The child and the real
 * programs end with this process.
 */
export async function spawnEnvtestCluster(options: SpawnEnvtestOptions = {}): Promise<SpawnedEnvtestCluster> {
  const { controllers = "real", log = () => {}, ...rest } = options;
  const programs =
    options.programs ?? (await findControlPlane({ controllerManager: controllers === "real", log }));
  const { child: _, ...cluster } = await spawnCluster(rest, { programs, controllers });
  return { provider: "envtest", ...cluster };
}

type Spawned = Omit<Cluster, "provider"> & {
  readonly pid: number;
  readonly url: string;
  readonly nodes: readonly NodePlan[];
  readonly child: ChildProcess;
};

async function spawnCluster(options: SpawnOptions, envtest?: EnvtestOrder): Promise<Spawned> {
  const { name = "dev", port = 0, podSecurity, activity } = options;
  const nodes = options.nodes ?? nameNodes(name);
  const directory = resolve(options.directory ?? (await mkdtemp(join(tmpdir(), "operator-path-"))));
  const clean = (): Promise<void> =>
    rm(options.directory === undefined ? directory : join(directory, logName), {
      recursive: true,
      force: true,
    });

  const launched = await launch({
    name,
    directory,
    port,
    nodes,
    podSecurity,
    activity,
    lifeline: true,
    envtest,
  }).catch(async (error: unknown) => {
    await clean();
    throw error;
  });
  const { child, answer } = launched;
  if (answer.type !== "ready") throw new Error(`a cluster with a lifeline cannot be ${answer.type}`);
  const exited = once(child, "exit");
  // The child must not keep this process alive. The channel keeps the child alive.
  child.unref();
  child.channel?.unref();

  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(answer.kubeconfigPath);
  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      child.ref();
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
      await exited;
      clearTimeout(timer);
    }
    await clean();
    // A killed child leaves these files, which a stopped one removes.
    for (const name of ["images", "pods"]) await rm(join(directory, name), { recursive: true, force: true });
    await rm(answer.type === "ready" ? answer.kubeconfigPath : "", { force: true });
  }
  return {
    name,
    child,
    pid: child.pid,
    url: answer.url,
    nodes,
    kubeconfigPath: answer.kubeconfigPath,
    kubeConfig,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
