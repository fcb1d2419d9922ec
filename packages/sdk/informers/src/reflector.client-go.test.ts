import type { ConfigMap, WatchEvent } from "@operator-path/client";
import { describe, expect, test } from "vitest";
import {
  added,
  createScriptedInformer,
  deleted,
  modified,
  recorder,
  type ScriptedOptions,
} from "./testing/scripted-informer.ts";
import { type Answer, configMap, refusal } from "./testing/scripted-source.ts";

// What client-go's tests of lists and watches guarantee (reflector_test.go), tested on an informer.

const bookmark = (resourceVersion: string): WatchEvent => ({
  type: "BOOKMARK",
  object: { metadata: { resourceVersion } },
});
const failed = (code: number, reason: string): WatchEvent => ({
  type: "ERROR",
  object: { kind: "Status", code, reason, message: reason },
});

/** Returns a started informer and the events of its handler. */
function start(answers: Answer[], options: ScriptedOptions = {}) {
  const scripted = createScriptedInformer(answers, options);
  const events: string[] = [];
  scripted.informer.addEventHandler(recorder(events));
  scripted.start();
  return { ...scripted, events };
}

describe("a watch", () => {
  const list = (version: string, ...objects: ConfigMap[]): Answer => ({ list: objects, version });
  const startListed = (...answers: Answer[]) => start([list("1"), ...answers], { watchList: false });

  test("resumes where it ended, so that the cache equals a list", async () => {
    const { server, pass, cache } = startListed(
      { events: [added(configMap("a", "2")), added(configMap("b", "3"))], ending: "break" },
      { refuse: new Error("connect ECONNREFUSED") },
      { events: [deleted(configMap("a", "4")), added(configMap("c", "5"))], ending: "end" },
      { refuse: refusal(500, "InternalError") },
      { events: [modified(configMap("b", "6"))], ending: "end" },
      { events: [], ending: "stay" },
    );
    await pass(20);
    expect(server.requests).toEqual([
      ...["list 500", "watch 1", "watch 3", "watch 3", "watch 5", "watch 5", "watch 6"],
    ]);
    expect(cache()).toEqual(["b@6", "c@5"]);
  });

  test("takes the version of every event and bookmark", async () => {
    const { server, pass, informer } = startListed({ events: [], ending: "stay" });
    const versions: string[] = [];
    await pass(1);
    for (const event of [
      added(configMap("a", "10")),
      modified(configMap("a", "20")),
      deleted(configMap("a", "30")),
      bookmark("40"),
    ]) {
      server.send(event);
      await pass(1);
      versions.push(informer.lastSyncResourceVersion());
    }
    expect(versions).toEqual(["10", "20", "30", "40"]);
  });

  test.each([
    ["as a status", { refuse: refusal(429, "TooManyRequests") }],
    ["as an event", { events: [failed(429, "TooManyRequests")], ending: "end" }],
  ] as [string, Answer][])(
    "is repeated after a 429 %s, any number of times, without a list",
    async (_, busy) => {
      const { server, pass, informer, log } = startListed(...Array.from({ length: 12 }, () => busy));
      await pass(400);
      expect(server.requests).toEqual(["list 500", ...Array.from({ length: 13 }, () => "watch 1")]);
      // client-go does not report this. Here the fifth consecutive "later" is logged.
      expect([log.length, informer.health().failures]).toEqual([8, 0]);
    },
  );

  test("is repeated after a minute when a Retry-After asks for an hour, as behind a proxy", async () => {
    const hour = refusal(503, "", { details: { retryAfterSeconds: 3_600 } });
    const { server, pass } = startListed({ refuse: hour }, { events: [], ending: "stay" });
    await pass(59);
    expect(server.requests).toEqual(["list 500", "watch 1"]);
    await pass(2);
    expect(server.requests).toEqual(["list 500", "watch 1", "watch 1"]);
  });

  test("is repeated while the server is down, without a list", async () => {
    const down = { refuse: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) };
    const { server, pass } = startListed(...Array.from({ length: 12 }, () => down));
    await pass(400);
    expect(server.requests).toEqual(["list 500", ...Array.from({ length: 13 }, () => "watch 1")]);
  });

  test("is repeated after an internal error, and replaced by a list if the error persists", async () => {
    const broken: Answer = { events: [failed(500, "InternalError")], ending: "end" };
    const { server, pass, informer } = startListed(broken, broken, { events: [], ending: "stay" });
    await pass(10);
    expect(server.requests).toEqual(["list 500", "watch 1", "watch 1", "watch 1"]);
    const never = start(
      [list("1"), ...Array.from({ length: 5 }, () => broken), list("2", configMap("a", "2"))],
      { watchList: false },
    );
    await never.pass(60);
    expect(never.server.requests.slice(-2)).toEqual(["list 500", "watch 2"]);
    expect([never.cache(), informer.hasSynced()]).toEqual([["a@2"], true]);
  });

  test("is followed by a list at once if the server cannot read a deleted object", async () => {
    const { server, pass, cache, events } = start(
      [
        list("3", configMap("a", "1"), configMap("b", "2"), configMap("c", "3")),
        { events: [added(configMap("corrupt", "4")), failed(500, "StorageReadError")], ending: "end" },
        list("5", configMap("a", "1"), configMap("b", "2"), configMap("c", "3")),
      ],
      { watchList: false },
    );
    await pass(2);
    expect(server.requests).toEqual(["list 500", "watch 3", "list 500", "watch 5"]);
    expect(cache()).toEqual(["a@1", "b@2", "c@3"]);
    expect(events.slice(3)).toEqual(["added corrupt@4", "lost corrupt@4"]);
  });

  test.each([
    ["the cause", refusal(504, "Timeout", { details: { causes: [{ reason: "ResourceVersionTooLarge" }] } })],
    [
      "the message of a cause, since 1.17",
      refusal(504, "Timeout", { details: { causes: [{ message: "Too large resource version" }] } }),
    ],
    [
      "the message, before 1.17",
      refusal(504, "Timeout", { message: "Too large resource version: 9, current: 3" }),
    ],
  ])(
    "from a version that the server has not reached is followed by a list: reported by %s",
    async (_, tooLarge) => {
      const { server, pass, cache } = start(
        [
          list("20", configMap("a", "9")),
          { refuse: tooLarge },
          list("20", configMap("a", "9")),
          { events: [], ending: "stay" },
        ],
        { watchList: false },
      );
      await pass(3);
      expect(server.requests).toEqual(["list 500", "watch 20", "list 500", "watch 20"]);
      expect(cache()).toEqual(["a@9"]);
    },
  );

  test("ends at random after five to ten minutes, so that many do not end together", async () => {
    const { server, pass } = start(
      [list("1"), ...Array.from({ length: 40 }, (): Answer => ({ events: [], ending: "end" }))],
      { watchList: false, random: Math.random },
    );
    await pass(1_500);
    expect(server.timeouts.length).toBeGreaterThan(40);
    expect(Math.min(...server.timeouts)).toBeGreaterThanOrEqual(300);
    expect(Math.max(...server.timeouts)).toBeLessThanOrEqual(600);
    expect(new Set(server.timeouts).size).toBeGreaterThan(5);
  });

  test("is closed when the informer stops, without another request", async () => {
    const { server, pass, end, log } = startListed({ events: [added(configMap("a", "2"))], ending: "stay" });
    await pass(1);
    expect(server.open()).toBe(1);
    await end();
    await pass(60);
    expect([server.requests, server.open(), log]).toEqual([["list 500", "watch 1"], 0, []]);
  });

  test("of an unknown event type loses no events", async () => {
    const strange = { type: "STRANGE", object: configMap("a", "2") } as unknown as WatchEvent;
    const { pass, cache } = start(
      [
        list("1"),
        { events: [strange, added(configMap("b", "3"))], ending: "stay" },
        { events: [strange, added(configMap("b", "3"))], ending: "stay" },
        { events: [added(configMap("b", "3"))], ending: "stay" },
      ],
      { watchList: false },
    );
    await pass(30);
    expect(cache()).toEqual(["b@3"]);
  });
});

describe("a list", () => {
  test("is requested in pages of the configured size", async () => {
    const page = (name: string, next?: string): Answer => ({
      list: [configMap(name, "1")],
      version: "9",
      continue: next,
    });
    const { server, pass, cache } = start([page("a", "C1"), page("b", "C2"), page("c")], {
      watchList: false,
      pageSize: 1,
    });
    await pass(1);
    expect(server.requests).toEqual(["list 1", "list 1 after C1", "list 1 after C2", "watch 9"]);
    expect(cache()).toEqual(["a@1", "b@1", "c@1"]);
  });

  test("is repeated after a failure, and leaves the cache unchanged until then", async () => {
    const { server, pass, cache, informer } = start(
      [
        { list: [configMap("a", "1"), configMap("b", "1")], version: "1" },
        { refuse: refusal(410, "Expired") },
        { refuse: new Error("a list error") },
        { list: [configMap("b", "5")], version: "6", continue: "C1" },
        { refuse: new Error("between two pages") },
        { list: [configMap("b", "5"), configMap("c", "6")], version: "6" },
      ],
      { watchList: false },
    );
    await pass(2);
    expect(cache()).toEqual(["a@1", "b@1"]);
    await pass(20);
    expect(server.requests.slice(-2)).toEqual(["list 500", "watch 6"]);
    expect([cache(), informer.hasSynced()]).toEqual([["b@5", "c@6"], true]);
  });

  test("adds the kind that items of built-in lists lack", async () => {
    for (const store of ["parsed", "lazy", "metadata"] as const) {
      const { pass, informer } = start([{ list: [configMap("a", "1")], version: "1" }], {
        watchList: false,
        store,
      });
      await pass(1);
      expect(informer.lister.get("ns/a")).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
    }
  });
});
