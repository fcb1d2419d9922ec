import { createFakeClock } from "@operator-path/client/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { configMap, startTestServer, type TestServer, type WatchReader } from "../../testing/test-server.ts";

const collection = "/api/v1/namespaces/default/configmaps";
const clock = createFakeClock();
let server: TestServer;

beforeEach(async () => {
  server = await startTestServer({ clock, history: { historyLimit: 50 } });
});

async function next(watch: WatchReader): Promise<string> {
  const event = await watch.next();
  return event === undefined ? "end" : `${event.type} ${event.object.metadata?.name ?? ""}`;
}

async function revision(): Promise<string> {
  return (await server.request("GET", collection)).json().metadata.resourceVersion as string;
}

describe("events", () => {
  test("are in order, each with its own resourceVersion; a deleted object has that of its deletion", async () => {
    const watch = await server.watch(`${collection}?watch=1&resourceVersion=${await revision()}`);
    const created = await server.create(collection, configMap("a", { n: "1" }));
    await server.request("PUT", `${collection}/a`, { body: configMap("a", { n: "2" }) });
    await server.request("DELETE", `${collection}/a`);
    const events = [await watch.next(), await watch.next(), await watch.next()];
    expect(events.map((event) => event?.type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    expect(events[0]?.object).toEqual(created);
    expect(events[2]?.object.data).toEqual({ n: "2" });
    const versions = events.map((event) => Number(event?.object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(new Set(versions).size).toBe(3);
  });

  test("without a resourceVersion begin with the existing objects", async () => {
    await server.create(collection, configMap("a"));
    await server.create(collection, configMap("b"));
    const watch = await server.watch(`${collection}?watch=true`);
    expect([await next(watch), await next(watch)]).toEqual(["ADDED a", "ADDED b"]);
    await server.create(collection, configMap("c"));
    expect(await next(watch)).toBe("ADDED c");
  });

  test("with a resourceVersion begin right after it", async () => {
    await server.create(collection, configMap("a"));
    const from = await revision();
    await server.create(collection, configMap("b"));
    const watch = await server.watch(`${collection}?watch=1&resourceVersion=${from}`);
    expect(await next(watch)).toBe("ADDED b");
  });

  test("of other namespaces are not sent", async () => {
    const watch = await server.watch(`${collection}?watch=1`);
    await server.create("/api/v1/namespaces/kube-system/configmaps", configMap("other"));
    await server.create(collection, configMap("own"));
    expect(await next(watch)).toBe("ADDED own");
  });

  test("follow a selector: objects that begin to match are added, others deleted", async () => {
    const watch = await server.watch(`${collection}?watch=1&labelSelector=on=yes`);
    const put = (on: string, n: string) =>
      server.request("PUT", `${collection}/a`, { body: configMap("a", { n }, { on }) });
    await server.create(collection, configMap("a", {}, { on: "no" }));
    await put("yes", "1");
    await put("yes", "2");
    await put("no", "3");
    await put("yes", "4");
    await server.request("DELETE", `${collection}/a`);
    const events = [];
    for (let index = 0; index < 5; index++) events.push(await watch.next());
    expect(events.map((event) => event?.type)).toEqual(["ADDED", "MODIFIED", "DELETED", "ADDED", "DELETED"]);
    // The last matching state, at the version of the change.
    expect(events[2]?.object.data).toEqual({ n: "2" });
    expect(Number(events[2]?.object.metadata.resourceVersion)).toBeGreaterThan(
      Number(events[1]?.object.metadata.resourceVersion),
    );
  });

  test("can be limited to one name", async () => {
    const watch = await server.watch(`${collection}?watch=1&fieldSelector=metadata.name=b`);
    await server.create(collection, configMap("a"));
    await server.create(collection, configMap("b"));
    expect(await next(watch)).toBe("ADDED b");
  });

  test("as Tables contain the columns once", async () => {
    await server.create(collection, configMap("a"));
    const watch = await server.watch(`${collection}?watch=1`, {
      accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
    });
    const first = (await watch.next())?.object;
    await server.create(collection, configMap("b"));
    const second = (await watch.next())?.object;
    expect(first).toMatchObject({ kind: "Table", rows: [{ cells: ["a", 0, expect.any(String)] }] });
    expect(first?.columnDefinitions).toHaveLength(3);
    expect(second).toMatchObject({
      rows: [{ cells: ["b", 0, expect.any(String)] }],
      columnDefinitions: null,
    });
  });
});

describe("a version that is too old", () => {
  test("gets one ERROR event with a 410", async () => {
    for (let index = 0; index < 100; index++) await server.create(collection, configMap(`c${index}`));
    const watch = await server.watch(`${collection}?watch=1&resourceVersion=1`);
    expect(watch.status).toBe(200);
    expect(await watch.next()).toMatchObject({
      type: "ERROR",
      object: {
        kind: "Status",
        code: 410,
        reason: "Expired",
        message: expect.stringMatching(/^too old resource version: 1 \(\d+\)$/),
      },
    });
    expect(await next(watch)).toBe("end");
  });

  test("is compacted after ten minutes at the latest", async () => {
    const from = await revision();
    await server.create(collection, configMap("a"));
    await clock.advance(10 * 60_000);
    const watch = await server.watch(`${collection}?watch=1&resourceVersion=${from}`);
    expect(await watch.next()).toMatchObject({ type: "ERROR", object: { code: 410 } });
  });
});

describe("bookmarks", () => {
  test("are sent once a minute with the current version, even without changes", async () => {
    const watch = await server.watch(`${collection}?watch=1&resourceVersion=1&allowWatchBookmarks=true`);
    await server.create("/api/v1/namespaces/kube-system/configmaps", configMap("elsewhere"));
    const now = await revision();
    await clock.advance(60_000);
    expect(await watch.next()).toEqual({
      type: "BOOKMARK",
      object: { kind: "ConfigMap", apiVersion: "v1", metadata: { resourceVersion: now } },
    });
  });

  test("are only sent on request", async () => {
    const watch = await server.watch(`${collection}?watch=1&resourceVersion=1`);
    await clock.advance(120_000);
    await server.create(collection, configMap("a"));
    expect(await next(watch)).toBe("ADDED a");
  });

  test("are sent shortly before the client's timeout", async () => {
    const query = "?watch=1&resourceVersion=1&allowWatchBookmarks=1&timeoutSeconds=30";
    const watch = await server.watch(`${collection}${query}`);
    await clock.advance(28_000);
    expect((await watch.next())?.type).toBe("BOOKMARK");
    await clock.advance(2_000);
    expect(await next(watch)).toBe("end");
  });

  test("mark the end of the initial events", async () => {
    await server.create(collection, configMap("a"));
    const now = await revision();
    const watch = await server.watch(
      `${collection}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    expect(await next(watch)).toBe("ADDED a");
    expect((await watch.next())?.object.metadata).toEqual({
      resourceVersion: now,
      annotations: { "k8s.io/initial-events-end": "true" },
    });
    await server.create(collection, configMap("b"));
    expect(await next(watch)).toBe("ADDED b");
  });
});

test("disconnects a client that falls behind, and frees its memory", async () => {
  await server.create(collection, configMap("a"));
  const before = clock.pending();
  const watch = await server.watch(`${collection}?watch=1&resourceVersion=1`);
  expect(clock.pending()).toBe(before + 1);
  // The test does not read: the server queues what the connection does not accept.
  for (let index = 0; clock.pending() > before && index < 60; index++) {
    const body = configMap("a", { large: "x".repeat(1_000_000), n: String(index) });
    await server.request("PUT", `${collection}/a`, { body });
  }
  expect(clock.pending()).toBe(before);
  watch.close();
});

test("cleans up a watch whose client has disconnected", async () => {
  const before = clock.pending();
  const watch = await server.watch(`${collection}?watch=1&allowWatchBookmarks=1`);
  expect(clock.pending()).toBeGreaterThan(before);
  watch.close();
  await expect.poll(() => clock.pending()).toBe(before);
});
