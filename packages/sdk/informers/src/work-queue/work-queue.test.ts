import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createFakeClock } from "@operator-path/client/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { createPriorityQueue, createWorkQueue } from "./work-queue.ts";

/** Returns whether a promise has settled after all pending work ran. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = {};
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

function exposeGarbageCollection(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

describe.each([
  ["createWorkQueue", createWorkQueue],
  ["createPriorityQueue", createPriorityQueue],
])("a queue of %s", (_, create) => {
  test("hands out a key once, however often it was added, in the order of first adds", async () => {
    const queue = create<string>();
    for (const key of ["a", "b", "a", "a"]) queue.add(key);
    expect(queue.length).toBe(2);
    expect([await queue.get(), await queue.get(), queue.length]).toEqual(["a", "b", 0]);
  });

  test("publishes each key that it hands out to subscribers of its channel", async () => {
    const published: unknown[] = [];
    const listener = (message: unknown) => void published.push(message);
    subscribe("operator-path:workqueue:taken", listener);
    onTestFinished(() => void unsubscribe("operator-path:workqueue:taken", listener));
    const queue = create<string>({ name: "webs" });
    for (const key of ["a", "a", "b"]) queue.add(key);
    await queue.get();
    expect(published).toEqual([{ queue: "webs", key: "a" }]);
  });

  test("publishes its first worker, before there are keys", async () => {
    const published: unknown[] = [];
    const listener = (message: unknown) => void published.push(message);
    subscribe("operator-path:workqueue:opened", listener);
    onTestFinished(() => void unsubscribe("operator-path:workqueue:opened", listener));
    const queue = create<string>({ name: "webs" });
    expect(published).toEqual([]);
    for (let worker = 0; worker < 2; worker++) void queue.get();
    expect(published).toEqual([{ queue: "webs" }]);
  });

  test("hands out a key that was added during processing once more after done", async () => {
    const queue = create<string>();
    queue.add("a");
    await queue.get();
    queue.add("a");
    queue.add("a");
    const other = queue.get();
    expect(await isSettled(other)).toBe(false);
    queue.done("a");
    expect(await other).toBe("a");
    queue.done("a");
    expect(queue.length).toBe(0);
    expect(await isSettled(queue.get())).toBe(false);
  });

  test("ignores done for a key that is not being processed", async () => {
    const queue = create<string>();
    queue.done("a");
    queue.add("a");
    queue.done("a");
    expect([queue.length, await queue.get(), queue.length]).toEqual([1, "a", 0]);
    queue.done("a");
    queue.done("a");
    queue.add("a");
    expect(await queue.get()).toBe("a");
  });

  test("serves getters in the order of their calls", async () => {
    const queue = create<string>();
    const log: string[] = [];
    for (const name of ["first", "second"]) queue.get().then((key) => log.push(`${name} ${key}`));
    queue.add("a");
    queue.add("b");
    await isSettled(Promise.resolve());
    expect(log).toEqual(["first a", "second b"]);
  });

  test("does not hold processed keys", async () => {
    const queue = create<object>();
    const keys = await (async () => {
      const made = [{}, {}, {}, {}];
      for (const [priority, key] of made.entries()) queue.add(key, { priority: priority % 2 });
      for (const key of made) queue.add(key, { priority: 1 });
      for (const _key of made) queue.done((await queue.get()) ?? {});
      return made.map((key) => new WeakRef(key));
    })();
    // In a separate turn: reading a WeakRef keeps its target alive until the end of the turn.
    await new Promise((resolve) => setImmediate(resolve));
    exposeGarbageCollection()();
    expect(keys.map((key) => key.deref())).toEqual(keys.map(() => undefined));
  });

  test("hands out a delayed key once, not before its time, with one timer", async () => {
    const clock = createFakeClock();
    const queue = create<string>({ clock });
    const got = queue.get();
    queue.addAfter("a", 50);
    for (let i = 0; i < 100; i++) queue.addAfter(`key-${i}`, 1_000 + i);
    expect(clock.pending()).toBe(1);
    await clock.advance(49);
    expect([await isSettled(got), queue.length]).toEqual([false, 0]);
    await clock.advance(1);
    expect(await got).toBe("a");
    queue.done("a");
    await clock.advance(10_000);
    expect([queue.length, clock.pending()]).toEqual([100, 0]);
  });

  test("uses the earliest of several delays of a key, in any order", async () => {
    const clock = createFakeClock();
    const queue = create<string>({ clock });
    for (const delay of [5_000, 1_000, 3_000]) queue.addAfter("a", delay);
    await clock.advance(999);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect([await queue.get(), clock.pending()]).toEqual(["a", 0]);
    queue.done("a");
    await clock.advance(60_000);
    expect(queue.length).toBe(0);
  });

  test("orders delayed keys by time, even if they become due together", async () => {
    const clock = createFakeClock();
    const queue = create<string>({ clock });
    queue.addAfter("third", 1_000);
    queue.addAfter("second", 500);
    queue.addAfter("first", 250);
    await clock.advance(2_000);
    expect([await queue.get(), await queue.get(), await queue.get()]).toEqual(["first", "second", "third"]);
  });

  test("treats a delay of zero or less as none, and never ends one of Infinity", async () => {
    const clock = createFakeClock();
    const queue = create<string>({ clock });
    queue.addAfter("a", 0);
    queue.addAfter("b", -5);
    queue.addAfter("never", Number.POSITIVE_INFINITY);
    expect([queue.length, clock.pending()]).toEqual([2, 0]);
  });

  test.each([
    ["back", -3_600_000],
    ["forward", 3_600_000],
  ])("keeps delays when the wall clock is set %s by an hour", async (_, set) => {
    const clock = createFakeClock();
    const queue = create<string>({ clock });
    queue.addAfter("a", 1_000);
    queue.addAfter("b", 3_000);
    await clock.advance(500);
    clock.set(set);
    await clock.advance(500);
    expect(queue.length).toBe(1);
    clock.set(set);
    queue.addAfter("c", 1_000);
    await clock.advance(1_000);
    expect(queue.length).toBe(2);
    await clock.advance(1_000);
    expect(queue.length).toBe(3);
  });

  test("waits for the rest when a timer fires a little early", async () => {
    const clock = createFakeClock();
    let early = 0;
    const queue = create<string>({ clock: { ...clock, steady: () => clock.steady() - early } });
    queue.addAfter("a", 1_000);
    early = 3;
    await clock.advance(1_000);
    expect(queue.length).toBe(0);
    await clock.advance(3);
    expect(queue.length).toBe(1);
  });

  test("backs off per key, from 5 ms to 1,000 s, until forget", async () => {
    const clock = createFakeClock();
    const queue = create<string>({ clock });
    const waits: number[] = [];
    for (let failure = 0; failure < 20; failure++) {
      const at = clock.now();
      queue.addRateLimited("a");
      while (queue.length === 0) await clock.advance(waits.at(-1) ?? 5);
      waits.push(clock.now() - at);
      await queue.get();
      queue.done("a");
    }
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(1_000_000);
    expect(queue.numRequeues("a")).toBe(20);
    queue.forget("a");
    expect(queue.numRequeues("a")).toBe(0);
  });

  test("keeps the back-offs of keys separate, and uses the earlier of delay and back-off", async () => {
    const clock = createFakeClock();
    const queue = create<string>({ clock });
    for (let failure = 0; failure < 7; failure++) {
      queue.addRateLimited("b");
      queue.add("b");
      queue.done((await queue.get()) ?? "");
      await clock.advance(1_000);
      while (queue.length > 0) queue.done((await queue.get()) ?? "");
    }
    queue.addRateLimited("a");
    queue.add("c", { rateLimited: true, after: 2 });
    queue.addRateLimited("b");
    await clock.advance(2);
    expect(queue.length).toBe(1);
    await clock.advance(3);
    expect(queue.length).toBe(2);
    await clock.advance(634);
    expect(queue.length).toBe(2);
    await clock.advance(1);
    expect([await queue.get(), await queue.get(), await queue.get()]).toEqual(["c", "a", "b"]);
  });

  test.each([
    ["wait", { after: Number.NaN }, 'adding "a": wait NaN is not a number'],
    ["priority", { priority: Number.NaN }, 'adding "a": priority NaN is not a number'],
  ])("rejects a %s that is not a number", (_what, options, message) => {
    expect(() => create<string>().add("a", options)).toThrow(message);
  });

  test("rejects new keys, drops delayed ones and releases all getters on shutDown", async () => {
    const clock = createFakeClock();
    const queue = create<string>({ clock });
    queue.addAfter("later", 1_000);
    const getters = [queue.get(), queue.getWithPriority()];
    queue.shutDown();
    queue.add("b");
    queue.addRateLimited("b");
    expect(await Promise.all(getters)).toEqual([undefined, undefined]);
    expect([await queue.get(), queue.length, queue.shuttingDown]).toEqual([undefined, 0, true]);
    expect(clock.pending()).toBe(0);
    queue.shutDown();
  });

  test("drains: hands out the rest, and waits for running keys and keys added again", async () => {
    const queue = create<string>();
    for (const key of ["a", "b"]) queue.add(key);
    await queue.get();
    queue.add("a");
    const drain = queue.shutDownWithDrain();
    queue.add("c");
    expect(await queue.get()).toBe("b");
    expect(await queue.get()).toBe(undefined);
    queue.done("a");
    expect(await queue.get()).toBe("a");
    queue.done("b");
    queue.add("a");
    expect(await isSettled(drain)).toBe(false);
    queue.done("a");
    await drain;
    expect(await queue.get()).toBe(undefined);
  });

  test("drains at once when it is empty", async () => {
    await create<string>().shutDownWithDrain();
  });

  test("ends an unfinished drain on a second shutDown", async () => {
    const queue = create<string>();
    for (const key of ["a", "b"]) queue.add(key);
    await queue.get();
    const drains = [queue.shutDownWithDrain(), queue.shutDownWithDrain()];
    expect(await isSettled(Promise.race(drains))).toBe(false);
    queue.shutDown();
    await Promise.all(drains);
  });
});

describe("as in client-go", () => {
  test("moves a key that was added during processing to the end of the queue at done", async () => {
    const queue = createWorkQueue<string>();
    queue.add("a");
    await queue.get();
    queue.add("a");
    queue.add("b");
    expect(queue.length).toBe(1);
    queue.done("a");
    expect([await queue.get(), await queue.get()]).toEqual(["b", "a"]);
  });

  test("does not end a delay with an add", async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue<string>({ clock });
    queue.addAfter("a", 1_000);
    queue.add("a");
    queue.addAfter("b", 1_000);
    expect(await queue.get()).toBe("a");
    queue.done("a");
    await clock.advance(1_000);
    expect([await queue.get(), await queue.get()]).toEqual(["a", "b"]);
  });

  test("hands out the remaining keys after shutDown", async () => {
    const queue = createWorkQueue<string>();
    queue.add("a");
    queue.shutDown();
    expect([await queue.get(), await queue.get()]).toEqual(["a", undefined]);
  });
});
