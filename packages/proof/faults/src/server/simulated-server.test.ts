import {
  ApiError,
  createClientOn,
  defineResource,
  isConflict,
  isGone,
  type KubeObject,
  type ListOptions,
  type WatchEvent,
  type WatchOptions,
} from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { createRandom } from "../random.ts";
import { createSimulatedServer, type SimulatedServerOptions } from "./simulated-server.ts";

interface Thing extends KubeObject {
  data?: Record<string, string>;
}

const things = defineResource<Thing>({
  group: "",
  version: "v1",
  kind: "Thing",
  plural: "things",
  namespaced: true,
});

function start(options: Partial<SimulatedServerOptions> = {}) {
  const clock = createFakeClock();
  const server = createSimulatedServer({
    clock,
    random: createRandom(1),
    resources: [{ resource: things }],
    ...options,
  });
  const api = createClientOn(server).resource(things).namespace("shop");
  const put = (name: string, labels: Record<string, string> = {}) =>
    api.create({ metadata: { name, labels }, data: { of: name } });
  return { clock, server, api, put };
}

type Api = ReturnType<typeof start>["api"];

/** Reads until the stream ends, or until nothing arrives for a turn or two. */
async function events(api: Api, options: WatchOptions, during = async () => {}): Promise<string[]> {
  const stop = new AbortController();
  const seen: WatchEvent<Thing>[] = [];
  let failure: unknown;
  const reading = (async () => {
    for await (const event of api.watch({ ...options, signal: stop.signal })) seen.push(event);
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) failure = error;
  });
  await during();
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await reading;
  if (failure) throw failure;
  return seen.map(({ type, object }) => {
    const { name = "", resourceVersion } = (object as KubeObject).metadata ?? {};
    return `${type} ${name || (object as { code?: number }).code || ""}@${resourceVersion ?? ""}`;
  });
}

test("pages of a list have one version, despite writes in between", async () => {
  const { api, put } = start();
  for (const name of ["a", "b", "c"]) await put(name);
  const first = await api.list({ limit: 2 });
  expect(first.metadata).toMatchObject({ resourceVersion: "93", remainingItemCount: 1 });
  await put("d");
  await api.delete("c");
  const second = await api.list({ limit: 2, continue: first.metadata.continue ?? "" });
  expect([...first.items, ...second.items].map(({ metadata }) => metadata?.name)).toEqual(["a", "b", "c"]);
  expect(second.metadata).toMatchObject({ resourceVersion: "93" });
  expect((await api.list()).items.map(({ metadata }) => metadata?.name)).toEqual(["a", "b", "d"]);
});

test("rejects continue tokens and watches of a compacted version", async () => {
  const { api, put, server } = start();
  for (const name of ["a", "b", "c"]) await put(name);
  const page: ListOptions = { limit: 1, continue: (await api.list({ limit: 1 })).metadata.continue ?? "" };
  await put("d");
  server.revisions.compact();
  expect(isGone(await api.list(page).catch((error) => error))).toBe(true);
  const answers: string[] = [];
  for (let turn = 0; turn < 12; turn++) {
    const status = (error: unknown) => [`status ${(error as ApiError).code}`];
    answers.push(...(await events(api, { resourceVersion: "93" }).catch(status)));
  }
  expect([...new Set(answers)].sort()).toEqual(["ERROR 410@", "status 410"]);
  expect(await events(api, { resourceVersion: "94" })).toEqual([]);
});

test("a watch shows the writes after a version, and objects that enter or leave its selection", async () => {
  const { api, put } = start();
  await put("a", { tier: "hot" });
  await put("b", { tier: "cold" });
  const change = async () => {
    await api.patch("b", { metadata: { labels: { tier: "hot" } } }, { type: "merge" });
    await api.patch("a", { metadata: { labels: { tier: "cold" } } }, { type: "merge" });
    await api.delete("b");
  };
  expect(await events(api, { resourceVersion: "91", labelSelector: "tier=hot" }, change)).toEqual([
    "ADDED b@93",
    "DELETED a@94",
    "DELETED b@95",
  ]);
  expect(await events(api, { resourceVersion: "91" })).toEqual([
    "ADDED b@92",
    "MODIFIED b@93",
    "MODIFIED a@94",
    "DELETED b@95",
  ]);
});

test("ends initial events with an annotated bookmark", async () => {
  const asked = {
    sendInitialEvents: true,
    resourceVersionMatch: "NotOlderThan",
    allowWatchBookmarks: true,
  } as const;
  const { api, put } = start();
  await put("a");
  await put("b");
  expect(await events(api, asked)).toEqual(["ADDED a@91", "ADDED b@92", "BOOKMARK @92"]);
  const older = start({ watchList: "refused" });
  await expect(events(older.api, asked)).rejects.toMatchObject({ code: 422, reason: "Invalid" });
  const oldest = start({ watchList: "ignored" });
  await oldest.put("a");
  expect(await events(oldest.api, asked)).toEqual(["ADDED a@91"]);
});

test("a lagging replica sends events late, and rejects versions that it has not received", async () => {
  const { api, put, server, clock } = start();
  const [replica] = server.replicas;
  await put("a");
  replica?.lag();
  await put("b");
  expect((await api.list({ resourceVersion: "0" })).items).toHaveLength(1);
  expect((await api.list()).items).toHaveLength(2);
  expect(await events(api, { resourceVersion: "91" })).toEqual([]);
  const tooLarge = api.list({ resourceVersion: "92" }).catch((error) => error);
  await clock.advance(3_000);
  expect(await tooLarge).toMatchObject({ code: 504, message: "Too large resource version: 92, current: 91" });
  expect(await events(api, { resourceVersion: "91" }, async () => replica?.catchUp())).toEqual([
    "ADDED b@92",
  ]);
});

test("writes check versions, UIDs and names", async () => {
  const { api, put } = start();
  const old = await put("a");
  await api.patch("a", { data: { of: null, more: "b" } }, { type: "merge" });
  expect((await api.get("a")).data).toEqual({ more: "b" });
  expect(isConflict(await api.update(old).catch((error) => error))).toBe(true);
  await expect(put("a")).rejects.toMatchObject({ reason: "AlreadyExists" });
  const late = api.delete("a", { preconditions: { uid: "another" } });
  await expect(late).rejects.toMatchObject({ code: 409 });
  await expect(api.get("b")).rejects.toBeInstanceOf(ApiError);
});

test("a watch ends after its timeout, and leaves no timer", async () => {
  const { api, clock, server } = start();
  const reading = (async () => {
    let bookmarks = 0;
    const options = { resourceVersion: "90", timeoutSeconds: 200, allowWatchBookmarks: true };
    for await (const { type } of api.watch(options)) if (type === "BOOKMARK") bookmarks++;
    return bookmarks;
  })();
  await clock.advance(200_000);
  expect(await reading).toBe(3);
  expect(server.watching).toBe(0);
  expect(clock.pending()).toBe(0);
});
