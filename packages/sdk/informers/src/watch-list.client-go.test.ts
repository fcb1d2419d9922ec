import { type ConfigMap, configMaps, type WatchEvent } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { describe, expect, test } from "vitest";
import type { ListWatch } from "./list-watch.ts";
import { createSharedInformerOn } from "./shared-informer.ts";
import {
  added,
  createScriptedInformer,
  deleted,
  modified,
  recorder,
  type ScriptedOptions,
} from "./testing/scripted-informer.ts";
import { type Answer, configMap, initialEventsEnd, refusal } from "./testing/scripted-source.ts";

// What client-go's tests of streamed initial objects guarantee (reflector_watchlist_test.go), tested on an
// informer.

const bookmark = (resourceVersion: string): WatchEvent => ({
  type: "BOOKMARK",
  object: { metadata: { resourceVersion } },
});

/** Returns a started informer and the events of its handler. */
function start(answers: Answer[], options: ScriptedOptions = {}) {
  const scripted = createScriptedInformer(answers, options);
  const events: string[] = [];
  scripted.informer.addEventHandler(recorder(events));
  scripted.start();
  return { ...scripted, events };
}

describe.each(["parsed", "lazy", "metadata"] as const)("initial objects as a stream, kept %s", (store) => {
  test("has not synced before the bookmark", async () => {
    const { informer, server, pass, cache } = start(
      [{ events: [added(configMap("a", "1"))], ending: "stay" }],
      {
        store,
      },
    );
    await pass(5);
    expect([informer.hasSynced(), cache(), server.requests]).toEqual([false, ["a@1"], ["stream"]]);
    server.send(initialEventsEnd("2"));
    await pass(1);
    expect([informer.hasSynced(), informer.lastSyncResourceVersion()]).toEqual([true, "2"]);
  });

  test("does not take a bookmark without the annotation, or with another value, for the end", async () => {
    const { informer, server, pass } = start(
      [
        {
          events: [added(configMap("a", "1")), bookmark("1"), initialEventsEnd("2", "false")],
          ending: "stay",
        },
      ],
      { store },
    );
    await pass(5);
    expect(informer.hasSynced()).toBe(false);
    server.send(initialEventsEnd("2"));
    await pass(1);
    expect(informer.hasSynced()).toBe(true);
  });

  test("applies updates and deletions among the initial objects", async () => {
    const answer: Answer = {
      events: [
        added(configMap("a", "1")),
        added(configMap("b", "2")),
        modified(configMap("a", "3")),
        added(configMap("c", "4")),
        deleted(configMap("c", "5")),
        initialEventsEnd("5"),
      ],
      ending: "stay",
    };
    const { informer, pass, cache, server } = start([answer], { store });
    await pass(1);
    expect([informer.hasSynced(), cache(), server.requests]).toEqual([true, ["a@3", "b@2"], ["stream"]]);
  });

  test("resumes as a watch from the last version when the stream ends after the initial objects", async () => {
    const answer: Answer = {
      events: [
        added(configMap("b", "2")),
        added(configMap("a", "1")),
        initialEventsEnd("2"),
        added(configMap("c", "3")),
      ],
      ending: "end",
    };
    const { server, pass, cache } = start(
      [answer, { events: [added(configMap("d", "4"))], ending: "stay" }],
      {
        store,
      },
    );
    await pass(2);
    expect(server.requests).toEqual(["stream", "watch 3"]);
    expect(cache()).toEqual(["a@1", "b@2", "c@3", "d@4"]);
  });

  test("deletes what a second stream lacks, and reports no change for what it repeats", async () => {
    const { server, pass, cache, events } = start(
      [
        {
          events: [
            added(configMap("a", "1")),
            added(configMap("b", "2")),
            initialEventsEnd("2"),
            added(configMap("c", "3")),
          ],
          ending: "end",
        },
        { refuse: refusal(410, "Expired") },
        {
          events: [
            added(configMap("c", "6")),
            added(configMap("a", "1")),
            added(configMap("d", "5")),
            initialEventsEnd("7"),
          ],
          ending: "stay",
        },
      ],
      { store },
    );
    await pass(5);
    expect(server.requests).toEqual(["stream", "watch 3", "stream"]);
    expect(cache()).toEqual(["a@1", "c@6", "d@5"]);
    expect(events).toEqual([
      ...["initial a@1", "initial b@2", "added c@3"],
      ...["updated c@3 → c@6", "added d@5", "lost b@2"],
    ]);
  });

  test.each([
    ["newer than the known version", { known: "10", created: "8", deleted: "12", end: "12" }],
    ["no newer than the known version", { known: "10", created: "8", deleted: "9", end: "10" }],
    ["a version without an order", { known: "x-k", created: "x-c", deleted: "x-d", end: "x-e" }],
  ])("does not keep what a second stream adds and deletes, deletion: %s", async (_, versions) => {
    const { informer, server, pass, cache, events } = start(
      [
        { events: [added(configMap("a", "1")), initialEventsEnd(versions.known)], ending: "end" },
        { refuse: refusal(410, "Expired") },
        {
          events: [
            added(configMap("a", "1")),
            added(configMap("short", versions.created)),
            deleted(configMap("short", versions.deleted)),
            initialEventsEnd(versions.end),
          ],
          ending: "stay",
        },
      ],
      { store },
    );
    await pass(5);
    expect(server.requests).toEqual(["stream", `watch ${versions.known}`, "stream"]);
    expect(informer.lastSyncResourceVersion()).toBe(versions.end);
    expect([cache(), events]).toEqual([["a@1"], ["initial a@1"]]);
  });
});

describe("a stream of initial objects", () => {
  test("is repeated after a 429, without a list", async () => {
    const busy = { refuse: refusal(429, "TooManyRequests") };
    const { server, pass, informer } = start([
      ...Array.from({ length: 8 }, () => busy),
      { events: [added(configMap("a", "1")), initialEventsEnd("1")], ending: "stay" },
    ]);
    await pass(240);
    expect(server.requests).toEqual(Array.from({ length: 9 }, () => "stream"));
    expect(informer.hasSynced()).toBe(true);
  });

  test("may take minutes between two objects", async () => {
    const { server, pass, informer } = start([{ events: [], ending: "stay" }], {});
    await pass(100);
    server.send(added(configMap("a", "1")));
    await pass(100);
    server.send(added(configMap("b", "2")), initialEventsEnd("3"));
    await pass(1);
    expect([server.requests, informer.hasSynced()]).toEqual([["stream"], true]);
  });

  test("may start after more than ten seconds, as from a busy server's queue", async () => {
    const requests: string[] = [];
    const clock = createFakeClock();
    const stop = new AbortController();
    const source: ListWatch = {
      async list() {
        requests.push("list");
        throw new Error("unexpected list");
      },
      async watch(_, signal) {
        requests.push("watch");
        await clock.sleep(12_000, signal);
        return (async function* () {
          yield Buffer.from(`${JSON.stringify(initialEventsEnd("7"))}\n`);
          await clock.sleep(1e6, signal);
        })();
      },
    };
    const informer = createSharedInformerOn<ConfigMap>(source, configMaps, { clock });
    const run = informer.run(stop.signal);
    await clock.advance(11_000);
    expect(informer.hasSynced()).toBe(false);
    await clock.advance(2_000);
    expect([informer.hasSynced(), requests]).toEqual([true, ["watch"]]);
    stop.abort();
    await run;
  });

  test("is replaced by a list at once if the server rejects it", async () => {
    for (const code of [400, 422]) {
      const { server, settle, cache, informer, log } = start([
        { refuse: refusal(code, "Invalid") },
        { list: [configMap("a", "1")], version: "1" },
        { events: [added(configMap("b", "2"))], ending: "stay" },
      ]);
      await settle();
      expect(server.requests).toEqual(["stream", "list 500", "watch 1"]);
      expect([cache(), informer.hasSynced(), log]).toEqual([["a@1", "b@2"], true, []]);
    }
  });

  test("is eventually replaced by a list after other failures", async () => {
    const wrong = { refuse: new Error("a proxy says no") };
    const list = { list: [configMap("a", "1")], version: "1" };
    const { server, pass, informer } = start([wrong, wrong, wrong, list]);
    await pass(10);
    expect(server.requests.slice(-2)).toEqual(["list 500", "watch 1"]);
    expect(informer.hasSynced()).toBe(true);
  });

  test("is not requested if it is disabled", async () => {
    const { server, pass } = start([{ list: [configMap("a", "1")], version: "1" }], { watchList: false });
    await pass(1);
    expect(server.requests).toEqual(["list 500", "watch 1"]);
  });
});
