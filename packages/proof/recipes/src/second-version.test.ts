import { join } from "node:path";
import { customResourceDefinitions } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import {
  createLogger,
  createManager,
  createScheme,
  newWebhookManagedBy,
} from "@operator-path/controller-runtime";
import { eventually, fuzzRoundTrip } from "@operator-path/controller-runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cacheConverter, cachesV1, cachesV1Alpha1, migrateStorage } from "./second-version.ts";

const crds = [join(import.meta.dirname, "second-version.crd.yaml")];
const cluster = await startTestCluster({ crds, webhooks: [] });
afterAll(() => cluster.stop());
const definitions = cluster.client.resource(customResourceDefinitions);
const definition = () => definitions.get("caches.shop.example.com");
const old = cluster.client.resource(cachesV1Alpha1).namespace("default");
const current = cluster.client.resource(cachesV1).namespace("default");

const manager = createManager(cluster.kubeConfig, {
  scheme: createScheme(cachesV1Alpha1, cachesV1),
  logger: createLogger({ level: "silent" }),
  webhookServer: cluster.webhookServer,
});
newWebhookManagedBy(manager).for(cachesV1).withConverter(cacheConverter).complete();
const stop = new AbortController();
let running: Promise<void>;
beforeAll(async () => {
  running = manager.start(stop.signal);
  await eventually(() => current.create({ metadata: { name: "probe" } }, { dryRun: true }));
});
afterAll(async () => {
  stop.abort();
  await running;
});

test("every Cache comes back from the other version as it was", async () => {
  await fuzzRoundTrip(cacheConverter, {
    seed: 1,
    generate(random) {
      const [replicas, zone] = [Math.floor(random() * 10), random() < 0.5 ? "north" : undefined];
      const metadata = { name: "cache", annotations: { note: "kept" } };
      return random() < 0.5
        ? { apiVersion: "shop.example.com/v1", kind: "Cache", metadata, spec: { replicas, zone } }
        : { apiVersion: "shop.example.com/v1alpha1", kind: "Cache", metadata, spec: { size: replicas } };
    },
  });
});

test("the old version is dropped once its objects have been stored in the new one", async () => {
  // 1. Both versions are served, and the old one is stored.
  await old.create({ metadata: { name: "small" }, spec: { size: 1 } });
  expect((await current.get("small")).spec).toEqual({ replicas: 1 });
  await current.create({ metadata: { name: "large" }, spec: { replicas: 9, zone: "north" } });
  expect((await old.get("large")).spec).toEqual({ size: 9 });

  // 2. The new version is stored from now on.
  await changeVersions((versions) => versions.map((each) => ({ ...each, storage: each.name === "v1" })));
  expect((await definition()).status?.storedVersions).toEqual(["v1alpha1", "v1"]);
  await expect(dropOld()).rejects.toThrow("status.storedVersions");

  // 3. Each object is stored anew.
  await migrateStorage(manager.client, manager.apiReader, cachesV1);
  expect((await definition()).status?.storedVersions).toEqual(["v1"]);

  // 4. Without the old version, and without a webhook, the objects are still there.
  await dropOld();
  const { items } = await current.list();
  expect(items.map(({ metadata, spec }) => [metadata?.name, spec])).toEqual([
    ["large", { replicas: 9, zone: "north" }],
    ["small", { replicas: 1 }],
  ]);
  await expect(old.get("small")).rejects.toMatchObject({ code: 404 });
});

type Versions = Awaited<ReturnType<typeof definition>>["spec"]["versions"];

async function changeVersions(change: (versions: Versions) => Versions): Promise<void> {
  const crd = await definition();
  await definitions.update({ ...crd, spec: { ...crd.spec, versions: change(crd.spec.versions) } });
}

async function dropOld(): Promise<void> {
  const crd = await definition();
  const versions = crd.spec.versions.filter(({ name }) => name === "v1");
  await definitions.update({ ...crd, spec: { ...crd.spec, versions, conversion: { strategy: "None" } } });
}
