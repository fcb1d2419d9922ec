import { ApiError, type ConfigMap, type WatchEvent } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test, vi } from "vitest";
import { createReflector } from "./reflector.ts";
import type { ReflectorSink } from "./store/sink.ts";
import { createObjectSource } from "./testing/scripted-source.ts";

/** Returns a source whose watches are created by `watch`, which receives their start version. */
function scripted(
  watch: (version: string, signal: AbortSignal) => AsyncIterable<WatchEvent<ConfigMap>>,
  items: ConfigMap[] = [],
) {
  const clock = createFakeClock();
  const stop = new AbortController();
  const names: string[] = [];
  const counts = { lists: 0, watches: 0 };
  const source = createObjectSource({
    async list() {
      counts.lists++;
      return { metadata: { resourceVersion: `${4 + counts.lists}` }, items };
    },
    watch({ resourceVersion }, signal) {
      counts.watches++;
      return watch(resourceVersion, signal);
    },
  });
  const options = { clock, random: () => 1, watchList: false };
  const run = createReflector(source, sinkTo(names), options).run(stop.signal);
  return {
    clock,
    counts,
    names,
    async end() {
      stop.abort();
      await run;
      expect(clock.pending()).toBe(0);
    },
  };
}

/** Returns a sink that collects the names of its objects. */
function sinkTo(names: string[]): ReflectorSink {
  return {
    begin: () => void names.splice(0),
    has: (key) => names.includes(key),
    put: (_, { key }) => void names.push(key),
    delete: (_, { key }) => void names.push(key),
    end: () => {},
  };
}

/** A watch without a single event. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

test("backs off from watches that end with a bookmark of the known version", async () => {
  const reflector = scripted(async function* (resourceVersion) {
    // As from a socket: not in the same turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    yield { type: "BOOKMARK", object: { metadata: { resourceVersion } } };
  });
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(reflector.counts.watches).toBe(1);
  await reflector.clock.advance(60_000);
  // 0.8 + 1.6 + 3.2 + … + 25.6 s, then half a minute each.
  expect(reflector.counts.watches).toBeLessThan(10);
  expect(reflector.counts.lists).toBe(1);
  await reflector.end();
});

test.each([
  ["is not JSON", () => new SyntaxError("Unexpected token")],
  ["is an ERROR event other than 410", undefined],
])("lists after an event that %s each time the watch resumes", async (_, makeError) => {
  const items: ConfigMap[] = [];
  const reflector = scripted(async function* (resourceVersion, signal) {
    items.push({ metadata: { name: "hidden-behind-it" } });
    if (resourceVersion !== "5") await silence(signal);
    if (makeError) throw makeError();
    yield { type: "ERROR", object: { kind: "Status", code: 500, message: "cannot decode the object" } };
  }, items);
  await reflector.clock.advance(60_000);
  expect(reflector.names).toContain("hidden-behind-it");
  expect(reflector.counts).toEqual({ lists: 2, watches: 6 });
  await reflector.end();
});

test("resumes at the known version after a long outage", async () => {
  let down = true;
  const reflector = scripted(async function* (_, signal) {
    if (down) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    yield { type: "ADDED", object: { metadata: { name: "a", resourceVersion: "9" } } };
    await silence(signal);
  });
  await reflector.clock.advance(3_600_000);
  down = false;
  await reflector.clock.advance(30_000);
  expect(reflector.names).toEqual(["a"]);
  expect(reflector.counts.lists).toBe(1);
  await reflector.end();
});

test("lists a page that is longer than an argument list may be", async () => {
  const page = Array.from({ length: 400_000 }, () => ({ metadata: { name: "c" } }));
  const reflector = scripted(async function* (version, signal) {
    yield { type: "BOOKMARK", object: { metadata: { resourceVersion: version } } };
    await silence(signal);
  }, page);
  await vi.waitFor(() => expect(reflector.names).toHaveLength(400_000));
  await reflector.end();
});

test("ignores an event older than the known version, from a server that lags behind", async () => {
  const config = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });
  const from: string[] = [];
  const reflector = scripted(
    async function* (version, signal) {
      from.push(version);
      if (from.length > 1) return await silence(signal);
      yield { type: "MODIFIED", object: config("lags", "4") };
      yield { type: "MODIFIED", object: config("new", "12") };
      yield { type: "DELETED", object: config("lags-too", "9") };
      yield { type: "MODIFIED", object: config("new-of-the-same-version", "12") };
    },
    [config("listed", "5")],
  );
  await reflector.clock.advance(10_000);
  expect(reflector.names).toEqual(["listed", "new", "new-of-the-same-version"]);
  expect(from).toEqual(["5", "12"]);
  await reflector.end();
});

test("requests a list in one piece after its version expired between two pages", async () => {
  const clock = createFakeClock();
  const stop = new AbortController();
  const requests: object[] = [];
  const names: string[] = [];
  const all = ["a", "b", "c"].map((name) => ({ metadata: { name } }));
  const source = createObjectSource({
    async list(page) {
      requests.push(page);
      if (page.continue)
        throw new ApiError({ code: 410, reason: "Expired", message: "The token is too old" });
      const items = all.slice(0, page.limit);
      const metadata = { resourceVersion: "7", ...(items.length < all.length && { continue: "more" }) };
      return { metadata, items };
    },
    watch: (_, signal) => ({ [Symbol.asyncIterator]: () => ({ next: () => silence(signal) }) }),
  });
  const options = { clock, random: () => 1, pageSize: 2, watchList: false };
  const reflector = createReflector(source, sinkTo(names), options);
  const run = reflector.run(stop.signal);
  await clock.advance(60_000);
  expect(names).toEqual(["a", "b", "c"]);
  expect(reflector.lastSyncResourceVersion()).toBe("7");
  expect(requests).toEqual([{ limit: 2 }, { limit: 2, continue: "more" }, {}]);
  stop.abort();
  await run;
});
