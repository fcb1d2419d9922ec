import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CustomResourceDefinition,
  createClient,
  customResourceDefinitions,
  type KubeConfig,
} from "@operator-path/client";
import { spawnEmbeddedCluster } from "@operator-path/cluster";
import { startRealControlPlane } from "@operator-path/cluster/real-control-plane";
import type { ControlPlane } from "@operator-path/tools";
import { memcacheds } from "./operator/memcached.ts";

/** The cluster of an operator. */
export interface Place {
  readonly kubeconfigPath: string;
  stop(): Promise<void>;
}

/** Starts a fresh cluster with so many new Memcacheds. */
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

/** Parallel requests. */
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

const { group, kind, plural, version } = memcacheds;
const spec = { type: "object", properties: { size: { type: "integer", format: "int32" } } };
const nodes = { type: "array", items: { type: "string" } };
const observedGeneration = { type: "integer", format: "int64" };
const status = { type: "object", properties: { nodes, observedGeneration } };

export const memcachedDefinition: CustomResourceDefinition = {
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    names: { kind, plural, singular: "memcached", listKind: `${kind}List` },
    scope: "Namespaced",
    versions: [
      {
        ...{ name: version, served: true, storage: true },
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", properties: { spec, status } } },
      },
    ],
  },
};
