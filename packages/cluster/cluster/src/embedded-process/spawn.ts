import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { KubeConfig } from "@operator-path/client";
import type { EmbeddedCluster, EmbeddedClusterOptions } from "../embedded/start.ts";
import { nameNodes } from "../node-plan.ts";
import { launch, logName } from "./launch.ts";

/** What can be said to another process: no clocks and no functions. */
export type SpawnOptions = Omit<EmbeddedClusterOptions, "clock" | "log">;

export interface SpawnedCluster extends EmbeddedCluster {
  readonly pid: number;
}

/** How long a stopped cluster may take before it is killed. */
const patienceMs = 8_000;

/**
 * Like startEmbeddedCluster, in a child process, so that the caller's event loop and the cluster's do not disturb each
 * other. Promised: the child ends when this process ends, in whatever way (also kill -9), because the IPC channel
 * between them closes; Ctrl+C in the terminal does not reach it. Its output is in `cluster.log` beside the
 * kubeconfig; stop() removes both.
 */
export async function spawnEmbeddedCluster(options: SpawnOptions = {}): Promise<SpawnedCluster> {
  const { name = "dev", port = 0 } = options;
  const nodes = options.nodes ?? nameNodes(name);
  const directory = resolve(options.directory ?? (await mkdtemp(join(tmpdir(), "operator-path-"))));
  const clean = (): Promise<void> =>
    rm(options.directory === undefined ? directory : join(directory, logName), {
      recursive: true,
      force: true,
    });

  const launched = await launch({ name, directory, port, nodes, lifeline: true }).catch(
    async (error: unknown) => {
      await clean();
      throw error;
    },
  );
  const { child, answer } = launched;
  if (answer.type !== "ready") throw new Error(`a cluster with a lifeline cannot be ${answer.type}`);
  const exited = once(child, "exit");
  // The child's life must not keep this process alive; the channel is what keeps the child alive.
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
    // A killed child leaves what a stopped one removes.
    await rm(answer.type === "ready" ? answer.kubeconfigPath : "", { force: true });
  }
  return {
    provider: "embedded",
    name,
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
