import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { configMaps, secrets } from "@operator-path/client";
import { expect, test, vi } from "vitest";
import { installMemcached, memcacheds } from "../controller/testing/memcached.ts";
import { CacheNotStartedError } from "./create-cache.ts";
import { isPending, startCachedClient } from "./testing/cached-client.ts";
import { configMap, namesOf, own, startWithObjects } from "./testing/with-objects.ts";

test("provides informers but rejects reads before the start", async () => {
  const { cache, start } = await startWithObjects();
  const informer = await cache.informer(configMaps);
  expect(informer.hasSynced()).toBe(false);
  await expect(cache.list(configMaps)).rejects.toThrow(
    "the cache has not started and cannot read configmaps: start the manager first, or read with its apiReader",
  );
  start();
  await cache.waitForSync();
  expect(informer.hasSynced()).toBe(true);
  await expect(cache.start(new AbortController().signal)).rejects.toThrow("the cache has already started");
});

test("reports how long it waited for the first list, and why it is missing", async () => {
  const { cache, clock, start } = await startCachedClient({ syncTimeout: 30_000 });
  start();
  const unknown = { ...configMaps, plural: "configurations", kind: "Configuration" };
  const read = cache.list(unknown);
  read.catch(() => {});
  await expect.poll(() => cache.health().informers[0]?.lastError?.message).toBeDefined();
  await clock.advance(30_000);
  await expect(read).rejects.toThrow(
    "the cache received no list of configurations within 30 s: the server could not find the requested resource",
  );
  const stop = new AbortController();
  const waiting = cache.list(unknown, { signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
});

test("calls no handlers after removing an informer, and the next read starts a new one", async () => {
  const { cache, client, direct, requests, start } = await startWithObjects();
  start();
  const informer = await cache.informer(configMaps);
  const notified: string[] = [];
  informer.addEventHandler({
    added: ({ metadata }, isInitial) => isInitial || notified.push(metadata?.name ?? ""),
  });
  cache.indexField(configMaps, "app", ({ metadata }) => [metadata?.labels?.app ?? ""]);
  await cache.removeInformer(configMaps);
  expect(informer.isStopped()).toBe(true);
  await direct.create(configMap("a", "three", { own: "" }));
  expect(namesOf(await client.list(configMaps, own))).toContain("a/three");
  expect(namesOf(await client.list(configMaps, { fields: { app: "y" } }))).toEqual(["a/two"]);
  expect(notified).toEqual([]);
  expect(requests).toEqual(["WATCH /api/v1/configmaps", "WATCH /api/v1/configmaps"]);
  expect(cache.health().informers).toHaveLength(1);
});

test("releases the objects of a removed informer while the cache keeps running", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { cache, start } = await startWithObjects();
  start();
  const reference = new WeakRef(await cache.get(configMaps, { namespace: "a", name: "one" }));
  await cache.removeInformer(configMaps);
  await vi.waitUntil(() => {
    collect();
    return reference.deref() === undefined;
  });
});

test("reports that it has ended to reads of another kind", async () => {
  const { cache, start, stop } = await startWithObjects();
  start();
  await cache.get(configMaps, { namespace: "a", name: "one" });
  await stop();
  await expect(cache.list(secrets)).rejects.toThrow(CacheNotStartedError);
  await expect(cache.list(secrets)).rejects.toThrow("the cache has ended and cannot read secrets");
});

test("fails reads without a first list at once when stopping, and answers others", async () => {
  const stopping = new AbortController();
  const { cache, start, hold } = await startWithObjects({ stopping: stopping.signal });
  start();
  await cache.get(configMaps, { namespace: "a", name: "one" });
  hold();
  const waiting = cache.list(secrets);
  expect(await isPending(waiting)).toBe(true);
  stopping.abort(new Error("bye"));
  await expect(waiting).rejects.toThrow("bye");
  await expect(cache.list(secrets)).rejects.toThrow("bye");
  await expect(cache.get(configMaps, { namespace: "a", name: "one" })).resolves.toBeDefined();
});

test("health: a kind that the server lacks is not stale, although reads fail until it is installed", async () => {
  const { cache, clock, directConnection, start } = await startCachedClient({ syncTimeout: 1_000 });
  start();
  await cache.informer(memcacheds, { waitForSync: false });
  const [state] = cache.health().informers;
  expect(state).toMatchObject({ stale: true, synced: false });
  await vi.waitUntil(() => cache.health().informers[0]?.lastError);
  expect(cache.health()).toMatchObject({ healthy: true, informers: [{ stale: false, synced: false }] });
  const failure = cache.list(memcacheds).catch((error: Error) => error.message);
  await clock.advance(1_000);
  expect(await failure).toMatch(
    /^the cache received no list of memcacheds.cache.example.com within 1 s: .*404/,
  );
  await installMemcached(directConnection);
  await vi.waitUntil(async () => {
    await clock.advance(10_000);
    return cache.health().informers[0]?.synced;
  });
  expect(await cache.list(memcacheds)).toEqual([]);
});

test("health: reports a missing first list and a long silence as stale", async () => {
  const { cache, clock, hold, start } = await startCachedClient({ staleAfter: 60_000 });
  await cache.informer(configMaps);
  expect(cache.health()).toMatchObject({ healthy: false, informers: [{ stale: true, silentFor: 0 }] });
  start();
  await cache.waitForSync();
  expect(cache.health()).toMatchObject({
    healthy: true,
    informers: [{ stale: false, namespace: "", synced: true }],
  });
  // A change of the wall clock is not silence.
  clock.set(3_600_000);
  expect(cache.health()).toMatchObject({ healthy: true, informers: [{ silentFor: 0 }] });
  hold();
  await clock.advance(60_001);
  expect(cache.health()).toMatchObject({ healthy: false, informers: [{ stale: true, silentFor: 60_001 }] });
});

test("ends its watches, and the waits for them, when the cache ends", async () => {
  const { cache, hold } = await startCachedClient();
  const stop = new AbortController();
  hold();
  const run = cache.start(stop.signal);
  const read = cache.list(configMaps);
  expect(await isPending(read)).toBe(true);
  stop.abort(new Error("shutting down"));
  await expect(read).rejects.toThrow("shutting down");
  await run;
});
