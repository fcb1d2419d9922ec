import { configMaps } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSharedInformer } from "./shared-informer.ts";
import { startFaultyServer } from "./testing/faulty-server.ts";
import { createScriptedInformer, modified } from "./testing/scripted-informer.ts";
import { configMap, refusal } from "./testing/scripted-source.ts";

/** Like Events or aggregated APIs. */
const noBookmarks = (count: number) =>
  Array.from({ length: count }, () => ({ events: [], ending: "stay" as const }));
const list = { list: [configMap("a", "5")], version: "7" };

test("reopens a watch that is quiet for hours without bookmarks, and reports no failure", async () => {
  const { server, informer, start, settle, clock, log } = createScriptedInformer([list, ...noBookmarks(50)], {
    watchList: false,
  });
  start();
  await settle();
  for (let minute = 0; minute < 120; minute++) {
    await clock.advance(60_000);
    await settle();
    expect([server.open(), informer.health().failures]).toEqual([1, 0]);
  }
  expect([informer.health().watches, log]).toEqual([41, []]);
});

test("counts a failure for each watch that breaks right after it opened, until one lasts", async () => {
  const breaks = { events: [], ending: "break" as const };
  const { informer, start, pass } = createScriptedInformer([list, breaks, breaks, breaks], {
    watchList: false,
  });
  start();
  await pass(7);
  expect(informer.health()).toMatchObject({ failures: 0, watches: 4 });
  const broken = createScriptedInformer([list, ...Array.from({ length: 9 }, () => breaks)], {
    watchList: false,
  });
  broken.start();
  await broken.pass(20);
  expect(broken.informer.health()).toMatchObject({ failures: 5, watches: 5 });
});

test("resets the failures when a watch opens, before its first event", async () => {
  const { informer, start, pass } = createScriptedInformer(
    [list, ...Array.from({ length: 3 }, () => ({ refuse: refusal(500) })), ...noBookmarks(1)],
    { watchList: false },
  );
  start();
  await pass(2);
  expect(informer.health().failures).toBe(2);
  await pass(10);
  expect(informer.health()).toMatchObject({ failures: 0, watches: 4 });
});

test("reports the last contact, the last error, the failures and the next request", async () => {
  const server = await startFaultyServer({ watchList: "offered" });
  const clock = createFakeClock();
  const stop = new AbortController();
  const informer = createSharedInformer(server.client, configMaps, {
    clock,
    random: () => 1,
    log: () => {},
  });
  expect(informer.health()).toEqual({
    synced: false,
    backlog: 0,
    busySince: undefined,
    lastContact: 0,
    silentFor: undefined,
    lastError: undefined,
    failures: 0,
    next: "stream: nothing listed yet",
    resourceVersion: "",
    lists: 0,
    watches: 0,
  });
  server.fail({ on: "watch", answer: 500 }, { on: "watch", answer: 500 });
  const run = informer.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await run;
    await server.close();
  });
  await vi.waitFor(() => expect(informer.health()).toMatchObject({ failures: 1, synced: false, lists: 0 }));
  expect(informer.health().lastError?.message).toBe("injected 500");
  await clock.advance(800);
  await vi.waitFor(() => expect(informer.health().failures).toBe(2));
  await clock.advance(1_600);
  await informer.waitForSync();
  expect(informer.health()).toMatchObject({
    synced: true,
    lastContact: clock.now(),
    failures: 0,
    next: "resume: list complete",
    resourceVersion: "100",
    lists: 0,
    watches: 3,
  });
  const before = informer.health().lastContact;
  await clock.advance(60_000);
  // Setting the wall clock does not make a connection silent.
  clock.set(3_600_000);
  expect(informer.health()).toMatchObject({ lastContact: before, silentFor: 60_000 });
  server.bookmark();
  const lastContact = before + 60_000 + 3_600_000;
  await vi.waitFor(() => expect(informer.health()).toMatchObject({ lastContact, silentFor: 0 }));
});

test("stays synced when a late handler hangs, while that handler's registration does not sync", async () => {
  const at = createScriptedInformer([{ list: [configMap("a", "5")], version: "7" }], { watchList: false });
  at.informer.addEventHandler({});
  at.start();
  await at.settle();
  const gate = Promise.withResolvers<void>();
  const late = at.informer.addEventHandler({ added: () => gate.promise });
  let called = false;
  const synced = late.waitForSync().then(() => {
    called = true;
  });
  await at.settle();
  expect([at.informer.hasSynced(), at.informer.health().synced]).toEqual([true, true]);
  await at.informer.waitForSync();
  expect([late.hasSynced(), called]).toEqual([false, false]);
  gate.resolve();
  await synced;
  expect(late.hasSynced()).toBe(true);
});

test("rejects new handlers and waits once its signal has aborted, even if a handler hangs", async () => {
  const at = createScriptedInformer([{ list: [configMap("a", "5")], version: "7" }], { watchList: false });
  const gate = Promise.withResolvers<void>();
  const stuck = at.informer.addEventHandler({ added: () => gate.promise });
  at.start();
  await at.settle();
  const waiting = Promise.allSettled([at.informer.waitForSync(), stuck.waitForSync()]);
  const ended = at.end();
  expect(await waiting).toEqual([
    { status: "rejected", reason: expect.objectContaining({ name: "AbortError" }) },
    { status: "rejected", reason: expect.objectContaining({ name: "AbortError" }) },
  ]);
  expect(() => at.informer.addEventHandler({})).toThrow("the informer of configmaps has ended");
  gate.resolve();
  await ended;
});

test("reports since when a handler has been hanging and its backlog, without repeated resyncs", async () => {
  const list = [configMap("a", "5"), configMap("b", "6")];
  const at = createScriptedInformer([{ list, version: "7" }], { watchList: false, resyncMs: 60_000 });
  const gate = Promise.withResolvers<void>();
  const events: string[] = [];
  at.informer.addEventHandler({
    async changed({ key, type }) {
      await gate.promise;
      events.push(`${type} ${key}`);
    },
  });
  at.informer.addEventHandler({});
  at.start();
  await at.settle();
  const since = at.clock.now();
  expect(at.informer.health()).toMatchObject({ backlog: 2, busySince: since });
  await at.pass(30);
  at.server.send(modified(configMap("a", "8")));
  await at.pass(600);
  // The two initial changes, the update, and one resync of two objects, although ten were due.
  expect(at.informer.health()).toMatchObject({ backlog: 5, busySince: since });
  gate.resolve();
  await at.settle();
  expect(at.informer.health()).toMatchObject({ backlog: 0, busySince: undefined });
  expect(events).toEqual(["added ns/a", "added ns/b", "updated ns/a", "updated ns/a", "updated ns/b"]);
  await at.pass(60);
  expect(events).toHaveLength(7);
});
