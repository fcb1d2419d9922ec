import {
  type ConfigMap,
  configMaps,
  type Deployment,
  deployments,
  isNotFound,
  type Scale,
  type Service,
  services,
} from "@operator-path/client";
import { expect, test } from "vitest";
import { isPending, startCachedClient } from "../cache/testing/cached-client.ts";
import { removeFinalizer } from "../controllerutil/finalizers.ts";
import { ignoreNotFound } from "./errors.ts";
import { metadataOnly } from "./metadata-only.ts";
import { mergeFrom, rawPatch } from "./patch.ts";

const key = { namespace: "a", name: "counter" };

const configMap = (data: Record<string, string> = {}, metadata: ConfigMap["metadata"] = {}): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { ...key, ...metadata },
  data,
});

/** A counter at 0, in a cache whose watches are held back from now on. */
async function startHeld(...options: Parameters<typeof startCachedClient>) {
  const world = await startCachedClient(...options);
  await world.direct.create(configMap({ count: "0" }));
  world.start();
  await world.cache.informer(configMaps);
  world.hold();
  const count = async () => (await world.client.get(configMaps, key)).data?.count;
  const increment = async () => {
    const read = await world.direct.get(configMaps, key);
    const next = { ...read, data: { count: String(Number(read.data?.count) + 1) } };
    return world.client.patch(next, mergeFrom(read));
  };
  return { ...world, count, increment };
}

test("controller-runtime #3320/#1464: a reconcile reads its own write", async () => {
  const { client, count, increment, release } = await startHeld();
  await increment();
  const read = count();
  const listed = client.list(configMaps, { labels: {} });
  expect(await isPending(read)).toBe(true);
  expect(await isPending(listed)).toBe(true);
  release();
  expect(await read).toBe("1");
  expect((await listed).map(({ data }) => data)).toContainEqual({ count: "1" });
});

test("answers with the stale state when reads do not wait", async () => {
  const { count, increment } = await startHeld({ readYourWritesTimeout: 0 });
  await increment();
  expect(await count()).toBe("0");
});

test("waits for every kind of write, but only in reads that it may affect", async () => {
  const { client, direct, hold, release } = await startHeld();
  const original = await direct.get(configMaps, key);
  const label = (app: string) => ({ ...original, metadata: { ...original.metadata, labels: { app } } });
  const writes: [string, () => Promise<unknown>][] = [
    ["create", () => client.create(configMap({}, { name: "other", labels: { app: "x" } }))],
    ["patch", () => client.patch(label("x"), mergeFrom(original))],
    ["update", async () => client.update({ ...(await direct.get(configMaps, key)), data: { count: "7" } })],
    ["apply", () => client.apply(configMap({ more: "1" }), { fieldManager: "test" })],
    ["delete", () => client.delete(configMap())],
  ];
  for (const [what, write] of writes) {
    release();
    await client.list(configMaps);
    hold();
    await write();
    const reads = [
      client.list(configMaps),
      client.list(configMaps, { namespace: "a", labels: { app: "x" } }),
      client.list(configMaps, { namespace: "a", fields: { "metadata.name": "other" } }),
      client.list(metadataOnly(configMaps), { namespace: "a" }),
    ];
    expect(await client.list(configMaps, { namespace: "b" }), what).toEqual([]);
    expect(await Promise.all(reads.slice(0, 3).map(isPending)), what).toEqual([true, true, true]);
    release();
    await Promise.all(reads);
  }
  expect(await client.list(configMaps, { namespace: "a", labels: { app: "x" } })).toHaveLength(1);
});

test("logs an expired wait, answers with the current state, and does not wait again", async () => {
  const { client, clock, count, increment, log } = await startHeld();
  const written = await increment();
  await client.create(configMap({}, { name: "other" }));
  const read = count();
  expect(await isPending(read)).toBe(true);
  await clock.advance(4_999);
  expect(await isPending(read)).toBe(true);
  await clock.advance(1);
  expect(await read).toBe("0");
  expect(log).toEqual([
    expect.stringMatching(
      `^the cache of configmaps has not received a write to a/counter \\(resourceVersion ${written.metadata?.resourceVersion}\\) within 5 s: reads now return resourceVersion \\d+$`,
    ),
  ]);
  expect(await count()).toBe("0");
  await expect(client.get(configMaps, { ...key, name: "other" })).rejects.toSatisfy(isNotFound);
});

test("aborts a waiting read", async () => {
  const { client, increment } = await startHeld();
  await increment();
  const stop = new AbortController();
  const read = client.get(configMaps, key, { signal: stop.signal });
  expect(await isPending(read)).toBe(true);
  stop.abort(new Error("enough"));
  await expect(read).rejects.toThrow("enough");
});

test("does not wait for rejected writes, dry runs and writes without a change", async () => {
  const { client, count, direct } = await startHeld();
  const same = await direct.get(configMaps, key);
  await client.update(same);
  await client.patch(same, mergeFrom(same));
  await client.update({ ...same, data: { count: "9" } }, { dryRun: true });
  await client.create(configMap({}, { name: "dry" }), { dryRun: true });
  await client.delete(same, { dryRun: true });
  await expect(client.create(configMap())).rejects.toThrow("already exists");
  expect(await count()).toBe("0");
});

test("waits for an object that leaves the cache's selector, but not for others outside of it", async () => {
  const world = await startCachedClient({
    byObject: [{ resource: configMaps, labelSelector: "app=x", fieldSelector: "metadata.name!=hidden" }],
  });
  const { client, hold, release } = world;
  world.start();
  await client.create(configMap({}, { labels: { app: "x" } }));
  expect(await client.list(configMaps)).toHaveLength(1);
  hold();
  await client.create(configMap({}, { name: "unlabelled" }));
  await client.create(configMap({}, { name: "hidden", labels: { app: "x" } }));
  expect(await client.list(configMaps)).toHaveLength(1);
  await expect(client.get(configMaps, { ...key, name: "hidden" })).rejects.toSatisfy(isNotFound);

  await client.patch(configMap(), rawPatch("merge", { metadata: { labels: { app: "y" } } }));
  const listed = client.list(configMaps);
  expect(await isPending(listed)).toBe(true);
  release();
  expect(await listed).toEqual([]);
});

test("waits for an object that enters the cache's selector and leaves it again", async () => {
  const world = await startCachedClient({ byObject: [{ resource: configMaps, labelSelector: "app=x" }] });
  const { client, hold, release, releaseOne, start } = world;
  start();
  await client.list(configMaps);
  hold();
  await client.create(configMap({}, { labels: { app: "x" } }));
  await client.patch(configMap(), rawPatch("merge", { metadata: { labels: { app: "y" } } }));
  const listed = client.list(configMaps);
  expect(await isPending(listed)).toBe(true);
  releaseOne();
  expect(await isPending(listed)).toBe(true);
  release();
  expect(await listed).toEqual([]);
});

test("waits until a deletion is visible", async () => {
  const { client, hold, release, count } = await startHeld();
  const goes = async (write: () => Promise<unknown>) => {
    hold();
    await write();
    const read = client.get(configMaps, key).catch(ignoreNotFound);
    expect(await isPending(read)).toBe(true);
    release();
    return read;
  };
  expect(await goes(() => client.delete(configMap()))).toBeUndefined();

  const made = await goes(() => client.create(configMap({}, { finalizers: ["example.com/hold"] })));
  const going = await goes(() => client.delete(made as ConfigMap));
  expect(going?.metadata?.deletionTimestamp).toBeDefined();
  // The server answers with the last state of the object that it has just deleted.
  const released = removeFinalizer(going as ConfigMap, "example.com/hold");
  expect(await goes(() => client.update(released))).toBeUndefined();

  // Deleted and created again at once.
  const again = await goes(async () => {
    await client.create(configMap({ count: "1" }));
    await client.delete(configMap());
    await client.create(configMap({ count: "2" }));
  });
  expect(again?.data).toEqual({ count: "2" });
  expect(await count()).toBe("2");
});

test("waits for a deletion that the server answers with the object itself", async () => {
  const { client, cache, hold, release, start } = await startCachedClient();
  start();
  const service: Service = {
    ...{ apiVersion: "v1", kind: "Service", metadata: { ...key } },
    spec: { ports: [{ port: 80 }], selector: { app: "web" } },
  };
  await cache.informer(services);
  await client.create(service);
  await client.get(services, key);
  hold();
  await client.delete({ ...service, metadata: { ...key } });
  const read = client.get(services, key).catch(ignoreNotFound);
  expect(await isPending(read)).toBe(true);
  release();
  expect(await read).toBeUndefined();
});

test("the first read contains a write that was made before the first list", async () => {
  const { cache, client, hold, release, start } = await startCachedClient();
  hold();
  start();
  await cache.informer(configMaps, { waitForSync: false });
  await client.create(configMap({ count: "1" }));
  const read = client.get(configMaps, key);
  expect(await isPending(read)).toBe(true);
  release();
  expect((await read).data).toEqual({ count: "1" });
});

test("reads uncached kinds from the server without waiting", async () => {
  const { client, requests, start } = await startCachedClient({}, { disableFor: [configMaps] });
  start();
  await client.create(configMap({ count: "1" }));
  expect((await client.get(configMaps, key)).data).toEqual({ count: "1" });
  expect(
    await client.list(configMaps, { namespace: "a", fields: { "metadata.name": "counter" } }),
  ).toHaveLength(1);
  expect(requests.filter((request) => request.startsWith("WATCH"))).toEqual([]);
});

test("treats subresource writes as writes of their object", async () => {
  const { client, cache, direct, hold, release, start } = await startCachedClient();
  start();
  const web: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "a", name: "web" },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "web", image: "nginx" }] },
      },
    },
  };
  await cache.informer(deployments);
  const stored = await client.create(web);
  const waits = async (write: () => Promise<unknown>) => {
    hold();
    await write();
    const read = client.get(deployments, { namespace: "a", name: "web" });
    expect(await isPending(read)).toBe(true);
    release();
    return read;
  };
  const scale = await client.subResource("scale").get<Scale>(stored);
  const scaled = await waits(() =>
    client.subResource("scale").update(stored, { body: { ...scale, spec: { replicas: 3 } } as Scale }),
  );
  expect(scaled.spec?.replicas).toBe(3);
  const seen = await waits(() =>
    client.status.patch({ ...stored, status: { observedGeneration: 2 } }, mergeFrom(stored)),
  );
  expect(seen.status?.observedGeneration).toBe(2);
  expect((await direct.get(deployments, { namespace: "a", name: "web" })).spec?.replicas).toBe(3);
});
