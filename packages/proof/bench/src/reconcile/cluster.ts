import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, customResourceDefinitions, type KubeConfig } from "@operator-path/client";
import { spawnEmbeddedCluster } from "@operator-path/cluster";
import { startRealControlPlane } from "@operator-path/cluster/real-control-plane";
import type { ControlPlane } from "@operator-path/tools";
import { memcachedDefinition } from "./definition.ts";
import { memcacheds } from "./operator/memcached.ts";

/** Where an operator works. */
export interface Place {
  readonly kubeconfigPath: string;
  stop(): Promise<void>;
}

/** A fresh cluster with so many Memcacheds, of which no operator has heard yet. */
export async function startPlace(
  programs: ControlPlane | undefined,
  objects: number,
  signal: AbortSignal,
): Promise<Place> {
  const cluster = programs === undefined ? await spawnEmbeddedCluster() : await startReal(programs);
  try {
    await populate(cluster.kubeConfig, objects, signal);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function startReal(programs: ControlPlane): Promise<Place & { readonly kubeConfig: KubeConfig }> {
  const folder = await mkdtemp(join(tmpdir(), "operator-path-bench-"));
  const kubeconfigPath = join(folder, "kubeconfig");
  const running = await startRealControlPlane({ programs });
  await writeFile(kubeconfigPath, running.kubeconfigYaml(), { mode: 0o600 });
  return {
    kubeconfigPath,
    kubeConfig: running.kubeConfig(),
    async stop() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Requests under way at a time. */
const atOnce = 16;

async function populate(kubeConfig: KubeConfig, objects: number, signal: AbortSignal): Promise<void> {
  const client = createClient(kubeConfig);
  try {
    await client.resource(customResourceDefinitions).create(memcachedDefinition, { signal });
    const own = client.resource(memcacheds).namespace("default");
    await untilServed(() => own.list({ limit: 1, signal }), signal);
    let next = 0;
    const create = async () => {
      while (next < objects) {
        const name = `memcached-${String(next++).padStart(5, "0")}`;
        await own.create({ metadata: { name }, spec: { size: 0 } }, { signal });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, create));
  } finally {
    await client.close();
  }
}

async function untilServed(ask: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (const end = performance.now() + 30_000; ; ) {
    try {
      await ask();
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
