import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { configMaps, secrets } from "@operator-path/client";
import { expect, test, vi } from "vitest";
import { installMemcached, memcacheds } from "../controller/testing/memcached.ts";
import { CacheNotStartedError } from "./create-cache.ts";
import { isPending, startCachedClient } from "./testing/cached-client.ts";
import { configMap, namesOf, own, startWithObjects } from "./testing/with-objects.ts";

test("before the start: informers may be asked for, reads are refused", async () => {
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

test("a first list that does not come: the error says how long was waited, and why there is none", async () => {
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

test("an informer that is removed tells nobody anything; the next read begins anew", async () => {
  const { cache, client, direct, requests, start } = await startWithObjects();
  start();
  const informer = await cache.informer(configMaps);
  const heard: string[] = [];
  informer.addEventHandler({
    added: ({ metadata }, isInitial) => isInitial || heard.push(metadata?.name ?? ""),
  });
  cache.indexField(configMaps, "app", ({ metadata }) => [metadata?.labels?.app ?? ""]);
  await cache.removeInformer(configMaps);
  expect(informer.isStopped()).toBe(true);
  await direct.create(configMap("a", "three", { own: "" }));
  expect(namesOf(await client.list(configMaps, own))).toContain("a/three");
  expect(namesOf(await client.list(configMaps, { fields: { app: "y" } }))).toEqual(["a/two"]);
  expect(heard).toEqual([]);
  expect(requests).toEqual(["WATCH /api/v1/configmaps", "WATCH /api/v1/configmaps"]);
  expect(cache.health().informers).toHaveLength(1);
});

test("what a removed informer held is free to go, while the cache runs on", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { cache, start } = await startWithObjects();
  start();
  const held = new WeakRef(await cache.get(configMaps, { namespace: "a", name: "one" }));
  await cache.removeInformer(configMaps);
  await vi.waitUntil(() => {
    collect();
    return held.deref() === undefined;
  });
});

test("a cache that has ended says so to who reads another kind", async () => {
  const { cache, start, stop } = await startWithObjects();
  start();
  await cache.get(configMaps, { namespace: "a", name: "one" });
  await stop();
  await expect(cache.list(secrets)).rejects.toThrow(CacheNotStartedError);
  await expect(cache.list(secrets)).rejects.toThrow("the cache has ended and cannot read secrets");
});

test("once nobody is to wait, reads of what has no first list fail at once, and others are answered", async () => {
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

test("health: a kind that the server does not have is not stale, though nobody can read it, until it comes", async () => {
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

test("health: nothing listed is stale, and so is a server that has been silent for long", async () => {
  const { cache, clock, hold, start } = await startCachedClient({ staleAfter: 60_000 });
  await cache.informer(configMaps);
  expect(cache.health()).toMatchObject({ healthy: false, informers: [{ stale: true, silentFor: 0 }] });
  start();
  await cache.waitForSync();
  expect(cache.health()).toMatchObject({
    healthy: true,
    informers: [{ stale: false, namespace: "", synced: true }],
  });
  // The wall clock is set: that is no silence.
  clock.set(3_600_000);
  expect(cache.health()).toMatchObject({ healthy: true, informers: [{ silentFor: 0 }] });
  hold();
  await clock.advance(60_001);
  expect(cache.health()).toMatchObject({ healthy: false, informers: [{ stale: true, silentFor: 60_001 }] });
});

test("the end of the cache is the end of its watches, and of who waits for them", async () => {
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
