import { type ConfigMap, configMaps } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSharedInformer, type SharedInformerOptions } from "../shared-informer.ts";
import { type FaultyServer, startFaultyServer } from "../testing/faulty-server.ts";
import type { Change } from "./change.ts";

let server: FaultyServer;
let stop: AbortController;
let runs: Promise<void>[];
let log: string[];

afterEach(async () => {
  stop.abort();
  await Promise.all(runs);
  await server.close();
});

function start(options: SharedInformerOptions<ConfigMap>) {
  const informer = createSharedInformer(server.client, configMaps, {
    clock: createFakeClock(),
    log: (line) => log.push(line),
    ...options,
  });
  runs.push(informer.run(stop.signal));
  return informer;
}

/** Returns the texts that JSON.parse receives while `during` runs. */
async function parsedDuring(during: () => Promise<void>): Promise<string[]> {
  const spy = vi.spyOn(JSON, "parse");
  try {
    await during();
    return spy.mock.calls.map(([text]) => text);
  } finally {
    spy.mockRestore();
  }
}

describe.each(["offered", "refused"] as const)("over a server that has WatchList %s", (watchList) => {
  beforeEach(async () => {
    server = await startFaultyServer({ watchList });
    stop = new AbortController();
    runs = [];
    log = [];
    server.put("a", "é😀");
    server.put("b", "1");
  });

  test.each(["parsed", "lazy", "metadata"] as const)(
    "%s: caches objects with their types, without managedFields",
    async (store) => {
      const informer = start({ store });
      await informer.waitForSync();
      const object = informer.lister.get("shop/a");
      expect(object).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", metadata: { uid: "uid-1" } });
      expect(object?.data).toEqual(store === "metadata" ? undefined : { value: "é😀" });
      expect(object?.metadata).not.toHaveProperty("managedFields");
      expect(informer.indexer.byIndex("namespace", "shop")).toHaveLength(2);
      server.put("a", "2");
      await vi.waitFor(() => expect(informer.lister.get("shop/a")?.metadata?.resourceVersion).toBe("103"));
      expect(() => Object.assign(informer.lister.get("shop/a") ?? {}, { kind: "mine" })).toThrow(TypeError);
      server.remove("a");
      await vi.waitFor(() => expect(informer.lister.namespace("shop").list()).toHaveLength(1));
    },
  );

  test.each(["parsed", "lazy", "metadata"] as const)("%s: keeps managedFields on request", async (store) => {
    const informer = start({ store, managedFields: true });
    await informer.waitForSync();
    expect(informer.lister.get("shop/b")?.metadata?.managedFields).toHaveLength(1);
  });

  test.each(["parsed", "lazy"] as const)(
    "%s: caches transformed objects, and reports a transform that throws",
    async (store) => {
      const informer = start({
        store,
        transform(object) {
          if (object.metadata?.name === "b") throw new Error("not this one");
          return { ...object, data: { value: "transformed" } };
        },
      });
      await informer.waitForSync();
      expect(informer.lister.get("shop/a")?.data).toEqual({ value: "transformed" });
      expect(informer.lister.get("shop/b")?.data).toEqual({ value: "1" });
      expect(log.join()).toMatch(/the transform of configmaps failed: Error: not this one/);
    },
  );
});

describe("with a server that streams", () => {
  beforeEach(async () => {
    server = await startFaultyServer({ watchList: "offered" });
    stop = new AbortController();
    runs = [];
    log = [];
    server.put("a", "1");
  });

  test("lazy: reports changes without parsing, and parses only the metadata for metadata", async () => {
    const informer = start({ store: "lazy" });
    const seen: Change<ConfigMap>[] = [];
    informer.addEventHandler({ changed: (change) => seen.push(change) });
    const parsed = await parsedDuring(async () => {
      await informer.waitForSync();
      server.put("a", "2");
      server.remove("a");
      await vi.waitFor(() => expect(seen).toHaveLength(3));
      expect(seen.map(({ type, key, uid, resourceVersion }) => [type, key, uid, resourceVersion])).toEqual([
        ["added", "shop/a", "uid-1", "101"],
        ["updated", "shop/a", "uid-1", "102"],
        ["deleted", "shop/a", "uid-1", "103"],
      ]);
    });
    expect(parsed.filter((text) => text.includes("uid-1"))).toEqual([]);
    expect(
      seen.map(({ oldResourceVersion, isInInitialList }) => [oldResourceVersion, isInInitialList]),
    ).toEqual([
      [undefined, true],
      ["101", false],
      ["102", false],
    ]);
    expect(seen[1]?.metadata.name).toBe("a");
    expect([seen[1]?.old?.data, seen[1]?.object.data]).toEqual([{ value: "1" }, { value: "2" }]);
    expect(seen[0]?.old).toBeUndefined();
  });

  test("lazy: parses only metadata for a label selector, and each object once for an index function", async () => {
    let calls = 0;
    const byValue = ({ data }: ConfigMap) => {
      calls++;
      return [data?.value ?? ""];
    };
    server.put("b", "1");
    const informer = start({ store: "lazy", indexers: { byValue } });
    await informer.waitForSync();
    expect(informer.indexer.byIndex("byValue", "1")).toHaveLength(2);
    server.put("b", "2");
    await vi.waitFor(() => expect(informer.indexer.byIndex("byValue", "2")).toHaveLength(1));
    server.remove("a");
    await vi.waitFor(() => expect(informer.indexer.byIndex("byValue", "1")).toEqual([]));
    expect(calls).toBe(3);
    expect(() => informer.indexer.byIndex("byName", "a")).toThrow(RangeError);
    const unread = start({ store: "lazy" });
    await unread.waitForSync();
    const parsed = await parsedDuring(async () => expect(unread.lister.list("app=none")).toEqual([]));
    expect(parsed).toHaveLength(1);
    expect(JSON.parse(parsed[0] ?? "")).toMatchObject({ name: "b", uid: "uid-2" });
  });

  test("leaves an object out of an index whose function throws, and continues", async () => {
    const informer = start({
      indexers: {
        broken() {
          throw new Error("no index");
        },
      },
    });
    await informer.waitForSync();
    expect(informer.lister.list()).toHaveLength(1);
    expect(informer.indexer.byIndex("broken", "x")).toEqual([]);
    expect(log.join()).toMatch(/an index function of configmaps failed: Error: no index/);
  });

  test("metadata: requests nothing else", async () => {
    await start({ store: "metadata" }).waitForSync();
    expect(server.requests[0]?.accept).toContain("as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
  });

  test("rejects an unknown store", () => {
    expect(() => start({ store: "cold" as "lazy" })).toThrow(
      /unknown store "cold": choose parsed, lazy or metadata/,
    );
  });
});
