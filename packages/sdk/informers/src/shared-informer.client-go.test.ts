import type { ConfigMap } from "@operator-path/client";
import { describe, expect, test } from "vitest";
import { unwrapTombstone } from "./keys.ts";
import {
  added,
  createScriptedInformer,
  deleted,
  modified,
  nameOf,
  recorder,
  type ScriptedOptions,
} from "./testing/scripted-informer.ts";
import { type Answer, configMap, initialEventsEnd, refusal } from "./testing/scripted-source.ts";

// What client-go's tests of caches guarantee (shared_informer_test.go, the_real_fifo_test.go,
// controller_test.go, thread_safe_store_test.go).

const expired: Answer = { refuse: refusal(410, "Expired") };
const quiet: Answer = { events: [], ending: "stay" };

/** Returns an informer that lists these objects and then follows the script. */
function prepare(initial: ConfigMap[], after: Answer[] = [], options: ScriptedOptions = {}) {
  const ending = after.length === 0 ? "stay" : "end";
  const first: Answer = { events: [...initial.map(added), initialEventsEnd("9")], ending };
  return createScriptedInformer([first, ...after], options);
}

describe.each(["parsed", "lazy"] as const)("an informer that keeps objects %s", (store) => {
  test.each([
    ["creates", [], [configMap("a", "11")], ["added a@11, cached a@11"]],
    [
      "deletes all",
      [configMap("a", "1"), configMap("b", "2")],
      [],
      ["lost a@1, cached nothing", "lost b@2, cached nothing"],
    ],
    [
      "creates, updates and deletes objects, and leaves one unchanged",
      [configMap("a", "1"), configMap("b", "2"), configMap("c", "3"), configMap("same", "4")],
      [configMap("a", "14"), configMap("b", "15"), configMap("d", "16"), configMap("same", "4")],
      [
        "updated a@1 → a@14, cached a@14",
        "updated b@2 → b@15, cached b@15",
        "added d@16, cached d@16",
        "lost c@3, cached nothing",
      ],
    ],
  ])("reports a relist that %s after the cache has it", async (_, before, after, expected) => {
    const events: string[] = [];
    const { informer, start, pass, cache } = prepare(
      before,
      [expired, { events: [...after.map(added), initialEventsEnd("20")], ending: "stay" }],
      { store },
    );
    informer.addEventHandler(recorder(events, (key) => informer.lister.get(key)));
    start();
    await pass(10);
    expect(events.slice(before.length)).toEqual(expected);
    expect(cache()).toEqual(after.map(nameOf));
  });

  test("finds objects by several indexes after every kind of change", async () => {
    const labelled = (name: string, version: string, colour: string, size: string) =>
      configMap(name, version, { data: { colour, size } });
    const { informer, server, start, pass } = prepare(
      [labelled("a", "1", "red", "small"), labelled("b", "2", "red green", "large")],
      [],
      {
        store,
        indexers: {
          colour: ({ data }) => data?.colour?.split(" ") ?? [],
          size: ({ data }) => [data?.size ?? ""],
        },
      },
    );
    const found = (index: string, value: string) => informer.indexer.byIndex(index, value).map(nameOf).sort();
    start();
    await pass();
    expect([found("colour", "red"), found("colour", "green"), found("size", "small")]).toEqual([
      ["a@1", "b@2"],
      ["b@2"],
      ["a@1"],
    ]);
    server.send(modified(labelled("b", "11", "green blue", "small")));
    server.send(added(labelled("c", "12", "blue", "large")), deleted(labelled("a", "13", "red", "small")));
    await pass();
    expect(["red", "green", "blue"].map((colour) => found("colour", colour))).toEqual([
      ...[[], ["b@11"], ["b@11", "c@12"]],
    ]);
    expect(["small", "large", "none"].map((size) => found("size", size))).toEqual([["b@11"], ["c@12"], []]);
    expect(found("namespace", "ns")).toEqual(["b@11", "c@12"]);
    expect(() => found("shape", "round")).toThrow('the index "shape" does not exist');
  });

  test("returns transformed objects from the cache and in events, deletions included", async () => {
    const seen: (string | undefined)[] = [];
    const { informer, server, start, pass, log } = prepare(
      [configMap("a", "1", { data: { big: "x" } })],
      [],
      {
        store,
        transform(object) {
          if (object.metadata?.name === "bad") throw new Error("cannot");
          return { ...object, data: { small: `of ${object.metadata?.resourceVersion}` } };
        },
      },
    );
    informer.addEventHandler({
      added: ({ data }) => seen.push(data?.small ?? data?.big),
      updated: (old, { data }) => seen.push(`${old.data?.small} → ${data?.small}`),
      deleted: (object) => seen.push(unwrapTombstone(object).data?.small),
    });
    start();
    await pass();
    server.send(
      modified(configMap("a", "11", { data: { big: "x" } })),
      deleted(configMap("a", "12", { data: { big: "x" } })),
      added(configMap("bad", "13", { data: { big: "as it came" } })),
    );
    await pass();
    expect(seen).toEqual(["of 1", "of 1 → of 11", "of 12", "as it came"]);
    expect(
      log.filter((line) => line.includes("the transform of configmaps failed: Error: cannot")),
    ).toHaveLength(1);
  });

  test("detects a write to a cached object", async () => {
    const { informer, start, pass } = prepare([configMap("a", "1", { data: { key: "value" } })], [], {
      store,
    });
    start();
    await pass();
    const object = informer.lister.get("ns/a");
    expect(() => Object.assign(object?.data ?? {}, { key: "other" })).toThrow(TypeError);
    expect(() => Object.assign(object?.metadata ?? {}, { name: "other" })).toThrow(TypeError);
    expect(informer.lister.get("ns/a")?.data).toEqual({ key: "value" });
  });
});

describe("has synced", () => {
  test("after an empty list, and only after the handlers have processed a full one", async () => {
    const empty = prepare([]);
    const none = empty.informer.addEventHandler({});
    expect([empty.informer.hasSynced(), none.hasSynced()]).toEqual([false, false]);
    empty.start();
    await empty.pass();
    expect([empty.informer.hasSynced(), none.hasSynced()]).toEqual([true, true]);

    const full = prepare([configMap("a", "1"), configMap("b", "2")]);
    const gate = Promise.withResolvers<void>();
    const slow = full.informer.addEventHandler({ added: () => gate.promise });
    const quick = full.informer.addEventHandler({});
    full.start();
    await full.pass();
    expect([full.informer.hasSynced(), slow.hasSynced(), quick.hasSynced()]).toEqual([false, false, true]);
    // This object was in the initial list, although it was deleted meanwhile.
    full.server.send(deleted(configMap("b", "12")));
    await full.pass();
    expect(slow.hasSynced()).toBe(false);
    gate.resolve();
    await full.pass();
    expect([full.informer.hasSynced(), slow.hasSynced()]).toEqual([true, true]);
  });

  test("even during a later list", async () => {
    const { informer, start, pass, server } = prepare([configMap("a", "1")], [expired, quiet]);
    informer.addEventHandler({});
    start();
    await pass(5);
    expect([informer.hasSynced(), server.requests.at(-1)]).toEqual([true, "stream"]);
  });

  test("for a late handler, once it has received all objects", async () => {
    const { informer, start, pass, server } = prepare([configMap("a", "1")]);
    start();
    await pass();
    const events: string[] = [];
    const late = informer.addEventHandler(recorder(events));
    expect([late.hasSynced(), informer.hasSynced()]).toEqual([false, true]);
    server.send(added(configMap("b", "11")));
    await pass();
    expect([late.hasSynced(), events]).toEqual([true, ["initial a@1", "added b@11"]]);
  });
});

test("is empty if it was never started", () => {
  const { informer, clock, server } = prepare([configMap("a", "1")]);
  informer.addEventHandler({}).remove();
  expect([informer.hasSynced(), clock.pending(), server.requests]).toEqual([false, 0, []]);
});
