import {
  ApiError,
  type ConfigMap,
  configMaps,
  createClientOn,
  namespaces,
  pods,
  secrets,
} from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { metadataOnly } from "../client/metadata-only.ts";
import { createCache, ResourceNotCachedError } from "./create-cache.ts";
import { byObject, type CacheOptions } from "./options.ts";
import { startCachedClient } from "./testing/cached-client.ts";
import { configMap, namesOf, own, startWithObjects } from "./testing/with-objects.ts";

test("creates an informer at the first read and uses it for all later ones", async () => {
  const { cache, requests, start } = await startWithObjects();
  start();
  await expect(cache.get(configMaps, { namespace: "a", name: "one" })).resolves.toMatchObject({
    data: { k: "1" },
  });
  await cache.list(configMaps);
  await cache.get(namespaces, { name: "a" });
  await expect(cache.get(configMaps, { namespace: "a", name: "none" })).rejects.toMatchObject({
    code: 404,
    reason: "NotFound",
    message: 'configmaps "none" not found',
  });
  await expect(cache.get(configMaps, { name: "one" })).rejects.toThrow("a ConfigMap is namespaced");
  expect(requests).toEqual(["WATCH /api/v1/configmaps", "WATCH /api/v1/namespaces"]);
});

test("lists by namespace, labels, selector, indexes and limit", async () => {
  const { cache, start } = await startWithObjects();
  cache.indexField(configMaps, "data.k", ({ data }) => Object.values(data ?? {}));
  start();
  const names = async (options: Parameters<typeof cache.list>[1]) =>
    namesOf(await cache.list(configMaps, options));
  expect(await names(own)).toEqual(["a/one", "a/two", "b/one"]);
  expect(await names({ ...own, namespace: "a" })).toEqual(["a/one", "a/two"]);
  expect(await names({ ...own, labels: { app: "x" } })).toEqual(["a/one", "b/one"]);
  expect(
    await names({ labels: { app: "x" }, labelSelector: { matchLabels: { own: "" } }, namespace: "b" }),
  ).toEqual(["b/one"]);
  expect(await names({ fields: { "data.k": "1" } })).toEqual(["a/one", "a/two"]);
  expect(await names({ fields: { "data.k": "1", "metadata.name": "one" } })).toEqual(["a/one"]);
  expect(await names({ fields: { "metadata.name": "one", "data.k": "2" } })).toEqual(["b/one"]);
  expect(await names({ fields: { "data.k": "1" }, namespace: "b" })).toEqual([]);
  expect(await names({ fields: { "metadata.namespace": "b" }, ...own })).toEqual(["b/one"]);
  expect(await names({ ...own, limit: 2 })).toHaveLength(2);
  await expect(names({ fields: { "status.phase": "x" } })).rejects.toThrow(
    'the cache has no index "status.phase" (there are: data.k): add it with indexField(resource, "status.phase", …) before the list',
  );
});

test("adds an index after the objects, and rejects a second one of the same name", async () => {
  const { cache, start } = await startWithObjects();
  start();
  await cache.list(configMaps);
  cache.indexField(configMaps, "app", ({ metadata }) => [metadata?.labels?.app ?? ""]);
  expect(namesOf(await cache.list(configMaps, { fields: { app: "y" } }))).toEqual(["a/two"]);
  expect(() => cache.indexField(configMaps, "app", () => [])).toThrow(
    'the cache of configmaps already has an index "app"',
  );
});

test("shares frozen objects with all readers", async () => {
  const { cache, start } = await startWithObjects();
  start();
  const key = { namespace: "a", name: "one" };
  const read = await cache.get(configMaps, key);
  expect(await cache.get(configMaps, key)).toBe(read);
  expect(await cache.list(configMaps, own)).toContain(read);
  expect(() => Object.assign(read.data as object, { k: "9" })).toThrow(TypeError);
});

test.each([
  [undefined, "test", true],
  [undefined, "production", false],
  [true, "production", true],
  [false, "test", false],
])("freeze: %s, NODE_ENV: %s, frozen: %s", async (freeze, environment, frozen) => {
  vi.stubEnv("NODE_ENV", environment);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { cache, start } = await startWithObjects(freeze === undefined ? {} : { freeze });
  start();
  const read = await cache.get(configMaps, { namespace: "a", name: "one" });
  expect(Object.isFrozen(read.data)).toBe(frozen);
});

test("watches each of several namespaces, and rejects reads of others", async () => {
  const { cache, requests, start } = await startWithObjects({ namespaces: ["a", "kube-system"] });
  start();
  expect(namesOf(await cache.list(configMaps, own))).toEqual(["a/one", "a/two"]);
  expect(requests).toEqual([
    "WATCH /api/v1/namespaces/a/configmaps",
    "WATCH /api/v1/namespaces/kube-system/configmaps",
  ]);
  const message = 'the cache of configmaps does not watch namespace "b", only a, kube-system: add it to';
  await expect(cache.get(configMaps, { namespace: "b", name: "one" })).rejects.toThrow(message);
  await expect(cache.list(configMaps, { namespace: "b" })).rejects.toThrow(message);
  expect(namesOf(await cache.list(namespaces))).toContain("/b");

  const added: string[] = [];
  const informer = await cache.informer(configMaps);
  const registration = informer.addEventHandler({ added: (object) => added.push(...namesOf([object])) });
  await expect.poll(registration.hasSynced).toBe(true);
  expect(added).toContain("a/one");
  expect(added.some((name) => name.startsWith("b/"))).toBe(false);
});

test("applies the most specific setting: by object, by namespace, by default", async () => {
  const { cache, requests, start } = await startWithObjects({
    labelSelector: "app=y",
    byObject: [
      byObject(configMaps, {
        namespaces: {
          a: { labelSelector: "app=x", transform: (object) => ({ ...object, data: { cut: "yes" } }) },
          "": { labelSelector: "own" },
        },
      }),
    ],
  });
  start();
  const listed = await cache.list(configMaps);
  expect(namesOf(listed)).toEqual(["a/one", "b/one"]);
  expect(await cache.get(configMaps, { namespace: "a", name: "one" })).toMatchObject({
    data: { cut: "yes" },
  });
  expect(await cache.get(configMaps, { namespace: "b", name: "one" })).toMatchObject({ data: { k: "2" } });
  await expect(cache.get(configMaps, { namespace: "a", name: "two" })).rejects.toThrow("not found");
  expect(requests).toEqual(["WATCH /api/v1/namespaces/a/configmaps", "WATCH /api/v1/configmaps"]);
  expect(await cache.list(pods)).toEqual([]);
});

test("rejects namespaces for a cluster-scoped resource", async () => {
  await expect(
    startCachedClient({ byObject: [{ resource: namespaces, namespaces: ["a"] }] }),
  ).rejects.toThrow("byObject sets namespaces for namespaces, which are cluster-scoped: leave them out");
});

test.each(["parsed", "lazy", "metadata"] as const)(
  "reads and finds objects in the %s store",
  async (store) => {
    const resource = store === "metadata" ? metadataOnly(configMaps) : configMaps;
    const { cache, start } = await startWithObjects(
      store === "metadata" ? {} : { byObject: [{ resource, store }] },
    );
    cache.indexField(resource, "app", ({ metadata }) => [metadata?.labels?.app ?? ""]);
    start();
    expect(namesOf(await cache.list(resource, { fields: { app: "x" } }))).toEqual(["a/one", "b/one"]);
    const object: ConfigMap = await cache.get(resource, { namespace: "a", name: "one" });
    expect(object.data).toEqual(store === "metadata" ? undefined : { k: "1" });
  },
);

test("caches metadata-only resources separately", async () => {
  const { cache, client, requests, start } = await startWithObjects();
  start();
  const key = { namespace: "a", name: "one" };
  const metadata = await cache.get(metadataOnly(configMaps), key);
  expect(metadata.metadata?.labels).toEqual({ own: "", app: "x" });
  expect(metadata).not.toHaveProperty("data");
  expect(await cache.get(configMaps, key)).toHaveProperty("data");
  await client.update(configMap("a", "one", { own: "", app: "z" }));
  expect((await cache.get(metadataOnly(configMaps), key)).metadata?.labels).toEqual({ own: "", app: "z" });
  expect(requests.filter((request) => request.startsWith("WATCH"))).toHaveLength(2);
});

test("rejects an invalid selector or store at creation", () => {
  const connection = createClientOn({
    request: () => Promise.reject(new Error("unexpected request")),
    stream: () => Promise.reject(new Error("unexpected request")),
    close: async () => {},
  });
  for (const options of [
    { labelSelector: "app=(x" },
    { byObject: [{ resource: configMaps, labelSelector: "app=(x" }] },
    { namespaces: { a: { labelSelector: "app=(x" } } },
    { byObject: [{ resource: configMaps, namespaces: { a: { labelSelector: "app=(x" } } }] },
  ] satisfies CacheOptions[]) {
    expect(() => createCache(connection, options)).toThrow(
      'cache: "app=(x" is not a label selector: try key=value',
    );
  }
});

test("rejects a metadata-only store for whole objects", () => {
  const connection = createClientOn({
    request: () => Promise.reject(new Error("unexpected request")),
    stream: () => Promise.reject(new Error("unexpected request")),
    close: async () => {},
  });
  // @ts-expect-error: the compiler rejects it, too
  const options: CacheOptions = { byObject: [{ resource: configMaps, store: "metadata" }] };
  expect(() => createCache(connection, options)).toThrow('"metadata" is not a store: choose parsed or lazy');
});

test("omits an object whose index function throws, whatever the order of the fields", async () => {
  const { cache, start } = await startWithObjects();
  cache.indexField(configMaps, "k", ({ data }) => [data?.k ?? ""]);
  cache.indexField(configMaps, "label", ({ metadata }) => {
    if (metadata?.name === "two") throw new Error("no such label");
    return [metadata?.labels?.app ?? ""];
  });
  start();
  expect(namesOf(await cache.list(configMaps, { fields: { k: "1", label: "x" } }))).toEqual(["a/one"]);
  expect(namesOf(await cache.list(configMaps, { fields: { label: "x", k: "1" } }))).toEqual(["a/one"]);
});

test("reports a missing informer when reads may not create one", async () => {
  const { cache, start } = await startCachedClient({ readerFailOnMissingInformer: true });
  start();
  await cache.informer(configMaps);
  await cache.list(configMaps);
  await expect(cache.list(secrets)).rejects.toThrow(ResourceNotCachedError);
  await expect(cache.list(secrets)).rejects.toThrow(
    "the cache has no informer for secrets, and readerFailOnMissingInformer stops reads from creating one",
  );
});

test("resyncs every ten hours, or after syncPeriod", async () => {
  // A server with three objects and no changes.
  const items = ["one", "two", "three"].map((name) => configMap("a", name));
  const body = Buffer.from(JSON.stringify({ kind: "List", metadata: { resourceVersion: "5" }, items }));
  const connection = createClientOn({
    request: async () => ({ status: 200, headers: {}, body }),
    async stream({ query, signal }) {
      if (query?.sendInitialEvents) throw new ApiError({ code: 422, reason: "Invalid" });
      return { status: 200, headers: {}, body: silence(signal as AbortSignal) };
    },
    close: async () => {},
  });
  const updates = async (options: CacheOptions, hours: number) => {
    const clock = createFakeClock();
    const cache = createCache(connection, { clock, random: () => 0.5, log: () => {}, ...options });
    const stop = new AbortController();
    const run = cache.start(stop.signal);
    const informer = await cache.informer(configMaps);
    let count = 0;
    informer.addEventHandler({ updated: () => count++ });
    // Half of the jitter, since random returns 0.5.
    await clock.advance(hours * 1.05 * 60 * 60 * 1000);
    stop.abort();
    await run;
    return count;
  };
  expect(await updates({}, 9.9)).toBe(0);
  expect(await updates({}, 10)).toBe(3);
  expect(await updates({ syncPeriod: 0 }, 10)).toBe(0);
  expect(await updates({ syncPeriod: 30 * 60 * 1000 }, 1)).toBe(6);
});

async function* silence(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
}

test("lets a handler read from the cache that calls it", async () => {
  const { cache, client, start } = await startWithObjects();
  start();
  const read: string[] = [];
  const informer = await cache.informer(configMaps, { waitForSync: false });
  informer.addEventHandler({
    added: async ({ metadata }) => {
      const key = { namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" };
      read.push(...namesOf([await client.get(configMaps, key)]));
    },
  });
  await informer.waitForSync();
  expect(read).toEqual(expect.arrayContaining(["a/one", "a/two", "b/one"]));
});
