import { type ConfigMap, configMaps } from "@operator-path/client";
import { createFakeClock, type FakeClock } from "@operator-path/client/testing";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DeletedFinalStateUnknown, unwrapTombstone } from "./keys.ts";
import { createSharedInformer, type SharedInformer, type SharedInformerOptions } from "./shared-informer.ts";
import { type FaultyServer, startFaultyServer } from "./testing/faulty-server.ts";

let server: FaultyServer;
let clock: FakeClock;
let stop: AbortController;
let runs: Promise<void>[];
let log: string[];

beforeEach(async () => {
  server = await startFaultyServer();
  clock = createFakeClock();
  stop = new AbortController();
  runs = [];
  log = [];
});

afterEach(async () => {
  stop.abort();
  await Promise.all(runs);
  await server.close();
  // Every test checks that no timer is left.
  expect(clock.pending()).toBe(0);
});

function start(options: SharedInformerOptions<ConfigMap> = {}): SharedInformer<ConfigMap> {
  const informer = createSharedInformer(server.client, configMaps, {
    clock,
    log: (line) => log.push(line),
    ...options,
  });
  runs.push(informer.run(stop.signal));
  return informer;
}

/** Waits for a condition and advances the informer's clock, so that a back-off takes no real time. */
const eventually = (assertion: () => void) =>
  vi.waitFor(
    async () => {
      await clock.advance(1_000);
      assertion();
    },
    { interval: 2 },
  );

const cacheOf = (informer: SharedInformer<ConfigMap>) =>
  new Map(
    informer.lister.list().map(({ metadata, data }) => [metadata?.name, `${metadata?.uid}=${data?.value}`]),
  );

const verbs = () => server.requests.map(({ verb }) => verb);

describe("an informer", () => {
  test("lists in pages, then watches from the list's resourceVersion", async () => {
    for (let i = 0; i < 7; i++) server.put(`c${i}`, "1");
    const informer = start({ pageSize: 3 });
    await informer.waitForSync();
    expect(cacheOf(informer)).toEqual(server.state());
    await eventually(() => expect(verbs()).toEqual(["list", "list", "list", "watch"]));
    expect(server.requests.at(-1)?.query.get("resourceVersion")).toBe("107");
    expect(server.requests.at(-1)?.query.get("allowWatchBookmarks")).toBe("true");
  });

  test("recovers from faults that stop client-node's informer: a reset, a 500, a 429", async () => {
    const informer = start();
    await informer.waitForSync();
    await eventually(() => expect(server.watching()).toBe(1));
    server.fail(
      { on: "watch", answer: 500 },
      { on: "watch", answer: 429, retryAfter: 5 },
      { on: "watch", reset: true },
    );
    server.reset();
    server.put("a", "after");
    await eventually(() => expect(cacheOf(informer)).toEqual(server.state()));
    expect(verbs().filter((verb) => verb === "list")).toHaveLength(1);
    expect(log.filter((line) => !line.includes("broke off"))).toEqual([expect.stringContaining("500")]);
    expect(log[0]).toMatch(
      /^informer of configmaps: the watch broke off: GET http:.*\/configmaps: aborted; trying again$/,
    );
  });

  test("waits as long as Retry-After asks", async () => {
    server.fail({ on: "list", answer: 429, retryAfter: 60 });
    start();
    await vi.waitFor(() => expect(verbs()).toEqual(["list"]));
    await vi.waitFor(() => expect(clock.pending()).toBe(1));
    await clock.advance(59_000);
    expect(verbs()).toEqual(["list"]);
    await eventually(() => expect(verbs().slice(0, 2)).toEqual(["list", "list"]));
  });

  test("lists again after a 410 status or ERROR event, and reports missed deletions", async () => {
    server.put("stays", "1");
    server.put("goes", "1");
    const deleted: (ConfigMap | DeletedFinalStateUnknown<ConfigMap>)[] = [];
    const informer = start();
    informer.addEventHandler({ deleted: (object) => deleted.push(object) });
    await informer.waitForSync();
    await eventually(() => expect(server.watching()).toBe(1));
    server.fail({ on: "watch", answer: 500 });
    server.reset();
    server.remove("goes");
    server.compact();
    await eventually(() => expect(cacheOf(informer)).toEqual(server.state()));
    expect(deleted).toHaveLength(1);
    expect(deleted[0]).toBeInstanceOf(DeletedFinalStateUnknown);
    expect(unwrapTombstone(deleted[0] as ConfigMap).metadata?.name).toBe("goes");

    server.fail({ on: "watch", expire: true });
    server.reset();
    await eventually(() => expect(verbs().filter((verb) => verb === "list")).toHaveLength(3));
  });

  test("resumes from a bookmark", async () => {
    const informer = start();
    await informer.waitForSync();
    await eventually(() => expect(server.watching()).toBe(1));
    server.put("a", "1");
    server.remove("a");
    server.bookmark();
    await eventually(() => expect(informer.lastSyncResourceVersion()).toBe("102"));
    server.compact();
    server.reset();
    await eventually(() => expect(verbs()).toEqual(["list", "watch", "watch"]));
    expect(server.requests.at(-1)?.query.get("resourceVersion")).toBe("102");
  });

  test("reopens watches that the server closes at once, with a back-off and without a list", async () => {
    server.fail(...Array.from({ length: 20 }, () => ({ on: "watch", close: true }) as const));
    const began = clock.now();
    const informer = start();
    await informer.waitForSync();
    await eventually(() =>
      expect(verbs().filter((verb) => verb === "watch").length).toBeGreaterThanOrEqual(21),
    );
    expect(verbs().filter((verb) => verb === "list")).toHaveLength(1);
    // Twenty useless watches: the later ones are about half a minute apart.
    expect(clock.now() - began).toBeGreaterThan(4 * 60_000);
  });

  test("treats a silent connection as dead", async () => {
    const informer = start();
    await informer.waitForSync();
    await eventually(() => expect(server.watching()).toBe(1));
    await clock.advance(181_000);
    await eventually(() => expect(verbs()).toEqual(["list", "watch", "watch"]));
    // The connection may only be quiet, so the informer reopens it at once and reports no failure.
    expect([log, informer.health().failures]).toEqual([[], 0]);
  });

  test("distinguishes an object from the next one of the same name", async () => {
    server.put("a", "1");
    const seen: string[] = [];
    const informer = start();
    informer.addEventHandler({
      added: (object) => seen.push(`added ${object.metadata?.uid}`),
      deleted: (object) => seen.push(`deleted ${unwrapTombstone(object).metadata?.uid}`),
    });
    await informer.waitForSync();
    await eventually(() => expect(server.watching()).toBe(1));
    server.fail({ on: "watch", answer: 500 });
    server.reset();
    server.remove("a");
    server.put("a", "2");
    server.compact();
    await eventually(() => expect(seen).toEqual(["added uid-1", "deleted uid-1", "added uid-2"]));
  });

  test("returns frozen objects", async () => {
    server.put("a", "1");
    const informer = start();
    await informer.waitForSync();
    const object = informer.lister.namespace("shop").get("a");
    expect(() => Object.assign(object?.data ?? {}, { value: "mine" })).toThrow(TypeError);
  });

  test("rejects all waits when it ends before it has synced", async () => {
    server.fail(...Array.from({ length: 50 }, () => ({ on: "list", answer: 500 }) as const));
    const synced = start().waitForSync();
    await vi.waitFor(() => expect(verbs()).toEqual(["list"]));
    stop.abort(new Error("going home"));
    await expect(synced).rejects.toThrow("going home");
  });

  test("continues when its log throws", async () => {
    server.put("a", "1");
    server.fail({ on: "list", answer: 500 });
    const informer = start({
      log() {
        throw new Error("the disk is full");
      },
    });
    informer.addEventHandler({
      added() {
        throw new Error("mine alone");
      },
    });
    await vi.waitFor(() => expect(verbs()).toEqual(["list"]));
    await eventually(() => expect(informer.hasSynced()).toBe(true));
  });

  test("rejects new handlers after it has ended", async () => {
    const informer = start();
    await informer.waitForSync();
    stop.abort();
    await Promise.all(runs);
    expect(() => informer.addEventHandler({})).toThrow("the informer of configmaps has ended");
  });

  test("delivers every object again at each resync", async () => {
    server.put("a", "1");
    const updated: string[] = [];
    const informer = start({ resyncMs: 60_000 });
    informer.addEventHandler({ updated: (_, object) => updated.push(object.metadata?.name ?? "") });
    await informer.waitForSync();
    await clock.advance(120_000);
    await vi.waitFor(() => expect(updated).toEqual(["a", "a"]));
  });
});

describe("event handlers", () => {
  test("run independently and in order, even if one is slow, throws or rejects", async () => {
    const values: string[] = [];
    const slow: string[] = [];
    const release = Promise.withResolvers<void>();
    const informer = start();
    informer.addEventHandler({
      added: () => {
        throw new Error("mine alone");
      },
    });
    informer.addEventHandler({
      added: async ({ data }) => {
        slow.push(`start ${data?.value}`);
        await release.promise;
        slow.push(`end ${data?.value}`);
      },
      updated: (_, { data }) => slow.push(`updated ${data?.value}`),
    });
    informer.addEventHandler({
      added: ({ data }) => values.push(data?.value ?? ""),
      updated: (_, { data }) => values.push(data?.value ?? ""),
    });
    await informer.waitForSync();
    await eventually(() => expect(server.watching()).toBe(1));
    for (const value of ["1", "2", "3"]) server.put("a", value);
    await eventually(() => expect(values).toEqual(["1", "2", "3"]));
    expect(slow).toEqual(["start 1"]);
    release.resolve();
    await eventually(() => expect(slow).toEqual(["start 1", "end 1", "updated 2", "updated 3"]));
    expect(log.some((line) => line.includes("mine alone"))).toBe(true);
  });

  test("have synced only after they have returned from the initial list", async () => {
    server.put("a", "1");
    const release = Promise.withResolvers<void>();
    const informer = start();
    const registration = informer.addEventHandler({ added: () => release.promise });
    await eventually(() => expect(informer.lister.list()).toHaveLength(1));
    expect([registration.hasSynced(), informer.hasSynced()]).toEqual([false, false]);
    release.resolve();
    await informer.waitForSync();
    expect([registration.hasSynced(), informer.hasSynced()]).toEqual([true, true]);
  });

  test("receive all objects when added late, and nothing after their removal", async () => {
    server.put("a", "1");
    const informer = start();
    await informer.waitForSync();
    const late: [string, boolean][] = [];
    const registration = informer.addEventHandler({
      added: (object, initial) => late.push([object.metadata?.name ?? "", initial]),
    });
    await eventually(() => expect(server.watching()).toBe(1));
    server.put("b", "1");
    await eventually(() => expect(late).toHaveLength(2));
    expect(late).toEqual([
      ["a", true],
      ["b", false],
    ]);
    registration.remove();
    server.put("c", "1");
    await eventually(() => expect(cacheOf(informer)).toEqual(server.state()));
    expect(late).toHaveLength(2);
  });
});

test.each([
  { store: "parsed", watchList: "refused" },
  { store: "parsed", watchList: "offered" },
  { store: "lazy", watchList: "refused" },
  { store: "lazy", watchList: "offered" },
  { store: "lazy", watchList: "ignored" },
] as const)(
  "converges to the server's state under any faults: store $store, WatchList $watchList",
  async ({ store, watchList }) => {
    const name = fc.constantFrom("a", "b", "c");
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ put: name, value: fc.stringMatching(/^[a-zé😀]{1,5}$/u) }) },
      { weight: 3, arbitrary: fc.record({ remove: name }) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          "reset",
          "compact",
          "bookmark",
          "settle",
          "500",
          "429",
          "410",
          "expire",
          "close",
          "cut",
        ),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const mirror = new Map<string | undefined, string>();
        const wrong: unknown[] = [];
        const own = await startFaultyServer({ watchList });
        const abort = new AbortController();
        const informer = createSharedInformer(own.client, configMaps, {
          clock,
          log: () => {},
          pageSize: 2,
          store,
        });
        const remember = ({ metadata, data }: ConfigMap) =>
          mirror.set(metadata?.name, `${metadata?.uid}=${data?.value}`);
        informer.addEventHandler({
          added: (object) => {
            if (mirror.has(object.metadata?.name)) wrong.push(object.metadata?.name);
            remember(object);
          },
          updated: (old, object) => {
            if (old.metadata?.uid !== object.metadata?.uid) wrong.push(object.metadata?.name);
            remember(object);
          },
          deleted: (object) => mirror.delete(unwrapTombstone(object).metadata?.name),
        });
        const run = informer.run(abort.signal);
        own.put("a", "first");
        await eventually(() => expect(own.watching()).toBe(1));
        for (const one of steps) {
          if (typeof one === "object" && "put" in one) own.put(one.put, one.value);
          else if (typeof one === "object") own.remove(one.remove);
          else if (one === "reset") own.reset();
          else if (one === "compact") own.compact();
          else if (one === "bookmark") own.bookmark();
          else if (one === "settle") await eventually(() => expect(own.watching()).toBe(1));
          else if (one === "expire") own.fail({ on: "watch", expire: true });
          else if (one === "close") own.fail({ on: "watch", close: true });
          else if (one === "cut") own.fail({ on: "watch", reset: true });
          else own.fail({ on: one === "500" ? "list" : "watch", answer: Number(one) });
        }
        own.reset();
        await eventually(() => {
          expect(own.watching()).toBe(1);
          expect(cacheOf(informer)).toEqual(own.state());
          expect(mirror).toEqual(own.state());
          expect(wrong).toEqual([]);
        });
        abort.abort();
        await run;
        await own.close();
      }),
      { numRuns: 40 },
    );
  },
);
