import { configMaps } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { unwrapTombstone } from "./keys.ts";
import { createSharedInformer } from "./shared-informer.ts";
import { startFaultyServer, type WatchListSupport } from "./testing/faulty-server.ts";

async function startInformer(watchList: WatchListSupport, names: string[] = ["b", "a"]) {
  const server = await startFaultyServer({ watchList });
  for (const name of names) server.put(name, "1");
  const clock = createFakeClock();
  const stop = new AbortController();
  const log: string[] = [];
  const seen: string[] = [];
  const informer = createSharedInformer(server.client, configMaps, { clock, log: (line) => log.push(line) });
  const registration = informer.addEventHandler({
    added: ({ metadata }) => seen.push(`added ${metadata?.name}`),
    updated: (_, { metadata, data }) => seen.push(`updated ${metadata?.name} ${data?.value}`),
    deleted: (object) => seen.push(`deleted ${unwrapTombstone(object).metadata?.name}`),
  });
  const run = informer.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await run;
    await server.close();
    expect(clock.pending()).toBe(0);
  });
  const requests = () =>
    server.requests.map(({ verb, query }) => (query.has("sendInitialEvents") ? "stream" : verb));
  const names_ = () => informer.lister.list().map(({ metadata }) => metadata?.name);
  return { server, clock, informer, registration, log, seen, requests, names: names_ };
}

const eventually = (clock: { advance(milliseconds: number): Promise<void> }, assertion: () => void) =>
  vi.waitFor(
    async () => {
      await clock.advance(1_000);
      assertion();
    },
    { interval: 2 },
  );

test("receives the initial objects as a stream, and continues on the same watch", async () => {
  const { server, informer, requests, seen } = await startInformer("offered");
  await informer.waitForSync();
  expect(informer.lastSyncResourceVersion()).toBe("102");
  server.put("a", "2");
  await vi.waitFor(() => expect(seen).toEqual(["added a", "added b", "updated a 2"]));
  expect(requests()).toEqual(["stream"]);
  const { query } = server.requests[0] ?? {};
  expect(Object.fromEntries(query ?? [])).toMatchObject({
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    allowWatchBookmarks: "true",
  });
  expect(query?.has("resourceVersion")).toBe(false);
});

test("has not synced, and has no version to resume from, before the bookmark", async () => {
  const { server, informer, registration, names } = await startInformer("offered", []);
  server.hold();
  server.reset();
  server.put("a", "1");
  await vi.waitFor(() => expect(server.watching()).toBe(1));
  await vi.waitFor(() => expect(names()).toEqual(["a"]));
  expect([informer.hasSynced(), registration.hasSynced()]).toEqual([false, false]);
  expect(informer.lastSyncResourceVersion()).toBe("");
  server.release();
  await informer.waitForSync();
  expect([informer.hasSynced(), registration.hasSynced()]).toEqual([true, true]);
});

test("starts over after a stream broke off before the bookmark, and reports deletions in between", async () => {
  const { server, clock, informer, seen, requests, names } = await startInformer("offered", []);
  server.hold();
  server.put("goes", "1");
  server.put("stays", "1");
  await eventually(clock, () => expect(names()).toHaveLength(2));
  server.remove("goes");
  server.put("again", "1");
  server.remove("again");
  await vi.waitFor(() => expect(names()).toEqual(["stays"]));
  server.put("unseen", "1");
  await vi.waitFor(() => expect(names()).toHaveLength(2));
  server.fail({ on: "watch", answer: 500 });
  server.reset();
  await vi.waitFor(() => expect(server.watching()).toBe(0));
  server.remove("unseen");
  await eventually(clock, () => expect(server.watching()).toBe(1));
  server.release();
  await informer.waitForSync();
  await vi.waitFor(() => expect(names()).toEqual(["stays"]));
  expect(seen.filter((line) => line.endsWith("unseen"))).toEqual(["added unseen", "deleted unseen"]);
  expect(requests()).not.toContain("list");
});

test("requests no further stream after a refusal, and lists at once without a log line", async () => {
  const { server, clock, informer, log, requests } = await startInformer("refused");
  await informer.waitForSync();
  expect(requests()[0]).toBe("list");
  expect(log).toEqual([]);
  await eventually(clock, () => expect(server.watching()).toBe(1));
  server.fail({ on: "watch", expire: true });
  server.reset();
  await eventually(clock, () => expect(requests().filter((verb) => verb === "list")).toHaveLength(2));
  expect(server.refused).toHaveLength(1);
});

test("lists when a server ignores the parameter and stays silent until the connection counts as dead", async () => {
  const { server, clock, informer, requests, names } = await startInformer("ignored");
  await vi.waitFor(() => expect(names()).toHaveLength(2));
  await clock.advance(170_000);
  expect(requests()).toEqual(["stream"]);
  await eventually(clock, () => expect(requests().slice(0, 2)).toEqual(["stream", "list"]));
  await informer.waitForSync();
  await eventually(clock, () => expect(server.watching()).toBe(1));
  server.fail({ on: "watch", expire: true });
  server.reset();
  await eventually(clock, () => expect(requests().filter((verb) => verb === "list")).toHaveLength(2));
  expect(requests().filter((verb) => verb === "stream")).toHaveLength(1);
});

test("lists half a minute after the first bookmark that is not the end", async () => {
  const { server, clock, informer, requests, names } = await startInformer("ignored");
  await vi.waitFor(() => expect(names()).toHaveLength(2));
  server.bookmark();
  await vi.waitFor(() => expect(clock.pending()).toBe(2));
  await clock.advance(29_000);
  expect(requests()).toEqual(["stream"]);
  await eventually(clock, () => expect(requests().slice(0, 2)).toEqual(["stream", "list"]));
  await informer.waitForSync();
});

test("lists when a server ignores the parameter and sends changes", async () => {
  const { server, clock, informer, requests, names } = await startInformer("ignored");
  await vi.waitFor(() => expect(names()).toHaveLength(2));
  let value = 0;
  await eventually(clock, () => {
    server.put("a", `${++value}`);
    expect(requests()).toContain("list");
  });
  expect(requests().slice(0, 2)).toEqual(["stream", "list"]);
  await informer.waitForSync();
});

test("gives up streams that break off repeatedly, and lists", async () => {
  const { server, clock, informer, requests } = await startInformer("offered");
  await informer.waitForSync();
  server.fail(
    { on: "watch", expire: true },
    ...Array.from({ length: 3 }, () => ({ on: "watch", reset: true }) as const),
  );
  server.reset();
  await eventually(clock, () => expect(requests()).toContain("list"));
  expect(requests().slice(0, 6)).toEqual(["stream", "watch", "stream", "stream", "stream", "list"]);
});
