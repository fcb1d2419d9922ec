import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApiObject } from "../json.ts";
import type { StoreEvent } from "./history.ts";
import { CompactedError, createStore, type Store } from "./store.ts";

function object(name: string, value = 0): ApiObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { value: String(value) } };
}

function keys(store: Store, options = {}): string[] {
  return store.range("configmaps", options).map(({ key }) => key);
}

describe("writes", () => {
  test("count one revision for all resources", () => {
    const store = createStore();
    const a = store.create("configmaps", "a", object("a"));
    const b = store.create("secrets", "b", object("b"));
    expect([a?.revision, b?.revision, store.revision]).toEqual([1, 2, 2]);
    expect(b?.object.metadata.resourceVersion).toBe("2");
  });

  test("refuse a key that is taken and an object that has moved on", () => {
    const store = createStore();
    const first = store.create("configmaps", "a", object("a"));
    if (first === undefined) throw new Error("not created");
    expect(store.create("configmaps", "a", object("a"))).toBeUndefined();
    expect(store.replace("configmaps", first, object("a", 1))).toBeDefined();
    expect(store.replace("configmaps", first, object("a", 2))).toBeUndefined();
    expect(store.delete("configmaps", first)).toBeUndefined();
    expect(store.get("configmaps", "a")?.object.data).toEqual({ value: "1" });
  });

  test("freeze what they store", () => {
    const store = createStore();
    const stored = store.create("configmaps", "a", object("a"));
    expect(() => {
      (stored?.object.data as Record<string, string>).value = "changed";
    }).toThrow(TypeError);
  });
});

describe("ranges", () => {
  test("are in the order of the keys' bytes, as etcd's", () => {
    const store = createStore();
    for (const key of ["a/z", "a-b/a", "b/a", "a/b"]) store.create("configmaps", key, object(key));
    expect(keys(store)).toEqual(["a-b/a", "a/b", "a/z", "b/a"]);
    expect(keys(store, { prefix: "a/" })).toEqual(["a/b", "a/z"]);
    expect(keys(store, { prefix: "a/", from: "a/b\0" })).toEqual(["a/z"]);
  });

  test("at a revision that is no longer kept throw", () => {
    const store = createStore({ historyLimit: 4 });
    for (let index = 0; index < 10; index++) store.create("configmaps", `k${index}`, object("a", index));
    expect(() => store.range("configmaps", { revision: 1 })).toThrow(CompactedError);
    expect(store.range("configmaps", { revision: 9 })).toHaveLength(9);
  });
});

describe("watches", () => {
  test("replay the history, then follow", () => {
    const store = createStore();
    store.create("configmaps", "a", object("a"));
    store.create("configmaps", "b", object("b"));
    const seen: string[] = [];
    const stop = store.watch("configmaps", 1, ({ type, current }) => seen.push(`${type} ${current.key}`));
    const c = store.create("configmaps", "c", object("c"));
    store.create("secrets", "other", object("other"));
    if (c) store.delete("configmaps", c);
    stop();
    store.create("configmaps", "d", object("d"));
    expect(seen).toEqual(["ADDED b", "ADDED c", "DELETED c"]);
  });

  test("from before a compaction throw, and name what is left", () => {
    const store = createStore();
    for (let index = 0; index < 5; index++) store.create("configmaps", `k${index}`, object("a", index));
    store.compact(3);
    expect(() => store.watch("configmaps", 2, () => {})).toThrow("the oldest that is kept is 3");
    const seen: number[] = [];
    store.watch("configmaps", 3, ({ revision }) => seen.push(revision));
    expect(seen).toEqual([4, 5]);
    // A resource that nobody had touched yet knows of the compaction too.
    expect(() => store.watch("secrets", 2, () => {})).toThrow(CompactedError);
  });
});

type Step = { action: "create" | "replace" | "delete"; key: string };

const steps = fc.array(
  fc.record({
    action: fc.constantFrom("create" as const, "replace" as const, "delete" as const),
    key: fc.constantFrom("a/a", "a/b", "b/a", "b/b", "c/a"),
  }),
  { maxLength: 60 },
);

function run(store: Store, { action, key }: Step, value: number): void {
  const stored = store.get("configmaps", key);
  if (action === "create") store.create("configmaps", key, object(key, value));
  else if (stored !== undefined && action === "replace")
    store.replace("configmaps", stored, object(key, value));
  else if (stored !== undefined) store.delete("configmaps", stored);
}

function state(store: Store, revision?: number): string[] {
  const options = revision === undefined ? {} : { revision };
  return store.range("configmaps", options).map(({ key, object }) => `${key}=${JSON.stringify(object.data)}`);
}

describe("any history", () => {
  test("can be read at every revision, as it was then", () => {
    fc.assert(
      fc.property(steps, (history) => {
        const store = createStore();
        const snapshots = new Map<number, string[]>([[0, []]]);
        history.forEach((step, index) => {
          run(store, step, index);
          snapshots.set(store.revision, state(store));
        });
        for (const [revision, snapshot] of snapshots) expect(state(store, revision)).toEqual(snapshot);
      }),
    );
  });

  test("leads a watcher from any revision to the present state", () => {
    fc.assert(
      fc.property(steps, fc.nat(59), (history, cut) => {
        const store = createStore();
        for (const [index, step] of history.slice(0, cut).entries()) run(store, step, index);
        const start = store.revision;
        const cache = new Map(store.range("configmaps").map((stored) => [stored.key, stored.object]));
        const apply = ({ type, current }: StoreEvent) => {
          if (type === "DELETED") cache.delete(current.key);
          else cache.set(current.key, current.object);
        };
        for (const [index, step] of history.slice(cut).entries()) run(store, step, 100 + index);
        store.watch("configmaps", start, apply);
        const now = store.range("configmaps").map(({ key, object }) => [key, object] as const);
        expect([...cache].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual(now);
      }),
    );
  });
});
