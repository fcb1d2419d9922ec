import { configMaps, deployments, namespaces, secrets } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import {
  createLogger,
  createManager,
  ignoreNotFound,
  type Manager,
  type ManagerOptions,
  mergeFrom,
  type ReconcileFunction,
} from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { cache, countConfigMaps, setupShard, shardByHash, shardByLabel, shardOf } from "./scaling.ts";

const cluster = await startTestCluster();
afterAll(() => cluster.stop());
const { client } = cluster;
for (const name of ["shop", "other"]) await client.resource(namespaces).create({ metadata: { name } });

function start(options: ManagerOptions, setup: (manager: Manager) => void): Manager {
  const manager = createManager(cluster.kubeConfig, {
    logger: createLogger({ level: "silent" }),
    ...options,
  });
  setup(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  return manager;
}

/** Leaves an annotation of the replica's own on the object. */
function signAs(index: number, manager: Manager): ReconcileFunction {
  return async (request) => {
    const map = await manager.client.get(configMaps, request).catch(ignoreNotFound);
    if (map?.metadata?.labels?.batch === undefined) return;
    const annotations = { ...map.metadata.annotations, [`replica-${index}`]: "reconciled" };
    await manager.client.patch({ ...map, metadata: { ...map.metadata, annotations } }, mergeFrom(map));
  };
}

/** Creates 20 ConfigMaps, and resolves with who has reconciled each of them, once each was reconciled. */
async function signaturesOf(batch: string): Promise<string[]> {
  const maps = client.resource(configMaps).namespace("shop");
  for (let i = 0; i < 20; i++) {
    const labels = { batch, "shop.example.com/shard": `${i % 2}` };
    await maps.create({ metadata: { name: `${batch}-${i}`, labels } });
  }
  return eventually(async () => {
    const { items } = await maps.list({ labelSelector: `batch=${batch}` });
    const signatures = items.map(({ metadata }) => Object.keys(metadata?.annotations ?? {}).join());
    expect(signatures).not.toContain("");
    return signatures;
  });
}

test.each([
  ["hash", shardByHash],
  ["label", shardByLabel],
])("two replicas share the objects by %s, and no object is reconciled by both", async (batch, shardBy) => {
  const settled: Promise<void>[] = [];
  for (const index of [0, 1]) {
    const sharding = shardBy(shardOf(`shop-operator-${index}`, 2));
    const manager = start(sharding.options, (manager) =>
      setupShard(manager, sharding, signAs(index, manager)),
    );
    settled.push(manager.elected);
  }
  await Promise.all(settled);

  const signatures = await signaturesOf(batch);
  expect(new Set(signatures)).toEqual(new Set(["replica-0", "replica-1"]));
});

test("a Pod without a fitting ordinal is no shard", () => {
  expect(() => shardOf("shop-operator-2", 2)).toThrow("shop-operator-2 is not one of 2 shards");
  expect(() => shardOf("shop-operator", 2)).toThrow("run a StatefulSet of 2 replicas");
});

test("four objects are reconciled at the same time, and the others wait", async () => {
  const maps = client.resource(configMaps).namespace("other");
  for (let i = 0; i < 20; i++) await maps.create({ metadata: { name: `busy-${i}` } });
  let running = 0;
  const released = Promise.withResolvers<void>();
  const manager = start({ cache: { namespaces: ["other"] } }, (manager) =>
    setupShard(manager, { isMine: () => true }, () => {
      running++;
      return released.promise;
    }),
  );
  onTestFinished(() => released.resolve());

  await eventually(async () => {
    const waiting = (await manager.metrics.getSingleMetric("workqueue_depth")?.get())?.values ?? [];
    expect([running, waiting.reduce((sum, { value }) => sum + value, 0)]).toEqual([4, 16]);
  });
});

test("the cache holds what its options select", async () => {
  const labels = { "app.kubernetes.io/managed-by": "shop-operator" };
  for (const namespace of ["shop", "other"]) {
    await client
      .resource(secrets)
      .namespace(namespace)
      .create({ metadata: { name: "own", labels } });
    await client
      .resource(secrets)
      .namespace(namespace)
      .create({ metadata: { name: "foreign" } });
  }
  const template = {
    metadata: { labels: { app: "web" } },
    spec: { containers: [{ name: "web", image: "nginx" }] },
  };
  const spec = { selector: { matchLabels: { app: "web" } }, template };
  await client
    .resource(deployments)
    .namespace("shop")
    .create({ metadata: { name: "web" }, spec });

  const manager = start({ cache }, () => {});
  await manager.elected;
  const cached = await manager.client.list(secrets);
  expect(cached.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`)).toEqual(["shop/own"]);
  const lazy = await manager.client.get(deployments, { namespace: "shop", name: "web" });
  expect(lazy.spec?.template.spec?.containers[0]?.image).toBe("nginx");
  const { items } = await client.resource(configMaps).namespace("shop").list();
  expect(await countConfigMaps(manager)).toBe(items.length);
});
