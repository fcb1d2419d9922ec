import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApiObject } from "../../lib/json/json.ts";
import type { StoreEvent } from "./history.ts";
import { CompactedError, createStore, type Store } from "./store.ts";
import type { StoredObject } from "./stored-object.ts";

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

  test("refuse a key that is taken and an object that has changed", () => {
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
  test("are in the byte order of the keys, as in etcd", () => {
    const store = createStore();
    for (const key of ["a/z", "a-b/a", "b/a", "a/b"]) store.create("configmaps", key, object(key));
    expect(keys(store)).toEqual(["a-b/a", "a/b", "a/z", "b/a"]);
    expect(keys(store, { prefix: "a/" })).toEqual(["a/b", "a/z"]);
    expect(keys(store, { prefix: "a/", from: "a/b\0" })).toEqual(["a/z"]);
  });

  test("throw at a compacted revision", () => {
    const store = createStore({ historyLimit: 4 });
    for (let index = 0; index < 10; index++) store.create("configmaps", `k${index}`, object("a", index));
    expect(() => store.range("configmaps", { revision: 1 })).toThrow(CompactedError);
    expect(store.range("configmaps", { revision: 9 })).toHaveLength(9);
  });
});

describe("watches", () => {
  test("continue for others, and the write succeeds, when a watcher throws", () => {
    const errors: unknown[] = [];
    const store = createStore({ onWatcherError: (error) => errors.push(error) });
    const seen: string[] = [];
    let calls = 0;
    store.watch("configmaps", 0, () => {
      calls++;
      throw new Error("broken");
    });
    store.watch("configmaps", 0, ({ current }) => seen.push(current.key));
    for (const key of ["a", "b"]) expect(store.create("configmaps", key, object(key))?.key).toBe(key);
    expect([seen, calls, errors]).toEqual([["a", "b"], 1, [new Error("broken")]]);
  });

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

  test("throw from before a compaction, and name the oldest revision", () => {
    const store = createStore();
    for (let index = 0; index < 5; index++) store.create("configmaps", `k${index}`, object("a", index));
    store.compact(3);
    expect(() => store.watch("configmaps", 2, () => {})).toThrow("the oldest that is kept is 3");
    const seen: number[] = [];
    store.watch("configmaps", 3, ({ revision }) => seen.push(revision));
    expect(seen).toEqual([4, 5]);
    // The compaction also applies to a resource without any object.
    expect(() => store.watch("secrets", 2, () => {})).toThrow(CompactedError);
  });
});

/** Writes one version after the other of the same object, each with this many bytes of text. */
function overwrite(store: Store, resource: string, times: number, bytes: number): WeakRef<Buffer>[] {
  const answers: WeakRef<Buffer>[] = [];
  store.create(resource, "a", object("a"));
  for (let index = 0; index < times; index++) {
    const seen = store.get(resource, "a") as StoredObject;
    // The server does the same when it answers the write.
    const written = store.replace(resource, seen, {
      ...object("a"),
      data: { value: String(index).padEnd(bytes, "x") },
    }) as StoredObject;
    answers.push(new WeakRef(written.body()));
  }
  return answers;
}

/** Returns the oldest revision at which a watch of the resource can begin. */
function oldest(store: Store, resource: string): number {
  try {
    store.watch(resource, 0, () => {})();
    return 0;
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    return error.floor;
  }
}

describe("history", () => {
  test("stays within its memory limit, however large the objects are", () => {
    const store = createStore({ historyBytes: 10_000_000 });
    overwrite(store, "configmaps", 300, 100_000);
    const kept = store.revision - oldest(store, "configmaps");
    expect(kept).toBeGreaterThanOrEqual(40);
    expect(kept).toBeLessThanOrEqual(100);
    // The remaining history can be read.
    const seen: number[] = [];
    store.watch("configmaps", store.revision - kept, ({ revision }) => seen.push(revision));
    expect(seen).toHaveLength(kept);
  });

  test("of a quiet resource outlasts that of a busy one", () => {
    const store = createStore({ historyBytes: 10_000_000 });
    store.create("secrets", "a", object("a"));
    overwrite(store, "configmaps", 300, 100_000);
    expect(oldest(store, "configmaps")).toBeGreaterThan(0);
    expect(oldest(store, "secrets")).toBe(0);
  });

  test("counts large objects that small ones have replaced", () => {
    const store = createStore({ historyBytes: 10_000_000 });
    const large = { value: "x".repeat(100_000) };
    for (let index = 0; index < 200; index++) {
      store.create("configmaps", `k${index}`, { ...object("a"), data: large });
    }
    store.compact(store.revision);
    for (const seen of store.range("configmaps")) store.replace("configmaps", seen, object("a"));
    expect(store.revision - oldest(store, "configmaps")).toBeLessThanOrEqual(100);
  });

  test("keeps objects, but not their encoded responses", async () => {
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as () => void;
    const store = createStore();
    const answers = overwrite(store, "configmaps", 100, 200_000);
    // A WeakRef keeps its target alive until the job that created it has ended.
    await setImmediate();
    gc();
    // That of the current object, and perhaps one that is about to be collected.
    expect(answers.filter((answer) => answer.deref() !== undefined).length).toBeLessThan(3);
    expect(oldest(store, "configmaps")).toBe(0);
  });
});

test("keeps only the bytes of small objects", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  const store = createStore();
  gc();
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < 2_000; index++) {
    store.create("events", `e${index}`, object("a"))?.body();
    // Other code uses the slab that short Buffers share.
    Buffer.allocUnsafe(31_000);
  }
  // The collector frees the memory of Buffers in the background.
  const kept = () => {
    gc();
    return process.memoryUsage().arrayBuffers - before;
  };
  await expect.poll(kept).toBeLessThan(4_000_000);
  expect(store.count("events")).toBe(2_000);
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
  test("can be read at every revision", () => {
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

  test("brings a watcher from any revision to the current state", () => {
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
