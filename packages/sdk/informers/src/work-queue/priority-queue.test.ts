import { createFakeClock } from "@operator-path/client/testing";
import { describe, expect, test } from "vitest";
import { createMetricsRegistry } from "../testing/metrics-registry.ts";
import { createPriorityQueue, createWorkQueue, type WorkQueue } from "./work-queue.ts";

/** Returns all ready keys with their priorities. */
async function all(queue: WorkQueue<string>): Promise<string[]> {
  const keys: string[] = [];
  while (queue.length > 0) {
    const item = await queue.getWithPriority();
    if (!item) break;
    keys.push(`${item.key} ${item.priority}`);
    queue.done(item.key);
  }
  return keys;
}

describe.each([
  ["createWorkQueue", createWorkQueue],
  ["createPriorityQueue", createPriorityQueue],
])("priorities in a queue of %s", (_, create) => {
  test("hands out the highest priority first, and the oldest key within a priority", async () => {
    const queue = create<string>();
    for (const priority of [0, -10, 10, 5, -5, 0.5]) {
      for (const name of ["a", "b", "c"]) queue.add(`${name}${priority}`, { priority });
    }
    expect(await all(queue)).toEqual(
      [10, 5, 0.5, 0, -5, -10].flatMap((priority) =>
        ["a", "b", "c"].map((name) => `${name}${priority} ${priority}`),
      ),
    );
  });

  test("raises the priority of a key to the end of the new priority, and never lowers it", async () => {
    const queue = create<string>();
    queue.add("low");
    queue.add("raised");
    queue.add("high", { priority: 2 });
    queue.add("raised", { priority: 2 });
    queue.add("high", { priority: 1 });
    queue.add("high");
    expect(queue.length).toBe(3);
    expect(await all(queue)).toEqual(["high 2", "raised 2", "low 0"]);
  });

  test("keeps the highest priority of the adds during processing", async () => {
    const queue = create<string>();
    queue.add("a", { priority: 9 });
    expect(await queue.getWithPriority()).toEqual({ key: "a", priority: 9 });
    queue.add("a", { priority: 1 });
    queue.add("a", { priority: 5 });
    queue.add("a", { priority: -1 });
    queue.add("b", { priority: 6 });
    queue.add("c", { priority: 4 });
    queue.done("a");
    expect(await all(queue)).toEqual(["b 6", "a 5", "c 4"]);
  });

  test("keeps the earliest time and the highest priority of a delayed key", async () => {
    const clock = createFakeClock();
    const queue = create<string>({ clock });
    queue.addAfter("a", 1_000, { priority: 1 });
    queue.addAfter("a", 5_000, { priority: 3 });
    queue.addAfter("a", 2_000, { priority: 2 });
    queue.add("b", { priority: 2 });
    queue.addRateLimited("c", { priority: 4 });
    await clock.advance(1_000);
    expect(await all(queue)).toEqual(["c 4", "a 3", "b 2"]);
    expect(clock.pending()).toBe(0);
  });

  test("hands out a due key before older lower ones, and after its equals", async () => {
    const clock = createFakeClock();
    const queue = create<string>({ clock });
    queue.addAfter("due", 1_000);
    queue.add("low", { priority: -100 });
    queue.add("equal");
    await clock.advance(1_000);
    expect(await all(queue)).toEqual(["equal 0", "due 0", "low -100"]);
  });

  test.each([
    ["no wait", -1],
    ["a wait", 1_000],
  ])("hands out thousands of keys of five priorities after %s", async (_wait, after) => {
    const clock = createFakeClock();
    const registry = createMetricsRegistry();
    const queue = create<string>({ clock, name: "q", metrics: registry });
    const priorities = [10, 5, 0, -5, -10];
    for (let i = 0; i < 1_000; i++) {
      for (const priority of priorities) queue.add(`${priority}/${i}`, { priority, after });
    }
    await clock.advance(1_000);
    expect(await all(queue)).toEqual(
      priorities.flatMap((priority) =>
        Array.from({ length: 1_000 }, (_key, i) => `${priority}/${i} ${priority}`),
      ),
    );
    expect(registry.value('workqueue_adds_total{name="q"}')).toBe(5_000);
    for (const priority of priorities) {
      expect(registry.value(`workqueue_depth{name="q",priority="${priority}"}`)).toBe(0);
    }
  });
});

describe("as in controller-runtime", () => {
  test("ends the delay of a key with an add, and hands it out once", async () => {
    const clock = createFakeClock();
    const registry = createMetricsRegistry();
    const queue = createPriorityQueue<string>({ clock, name: "q", metrics: registry });
    const got = queue.getWithPriority();
    queue.addAfter("a", 60_000);
    queue.add("a", { priority: 1 });
    expect(await got).toEqual({ key: "a", priority: 1 });
    queue.done("a");
    await clock.advance(60_000);
    expect([queue.length, clock.pending()]).toEqual([0, 0]);
    expect(registry.value('workqueue_adds_total{name="q"}')).toBe(1);
    expect(registry.value('workqueue_depth{name="q",priority="1"}')).toBe(0);
  });

  test("applies only the priority of a delayed add to a queued key", async () => {
    const clock = createFakeClock();
    const queue = createPriorityQueue<string>({ clock });
    queue.add("a");
    queue.add("b");
    queue.addAfter("b", 3_600_000, { priority: 1 });
    expect(clock.pending()).toBe(0);
    expect(await all(queue)).toEqual(["b 1", "a 0"]);
  });

  test("counts ready keys and keys added during processing, but no delayed ones", async () => {
    const clock = createFakeClock();
    const queue = createPriorityQueue<string>({ clock });
    queue.addAfter("a", 500);
    queue.add("b");
    queue.addAfter("c", 500);
    queue.add("d");
    expect(queue.length).toBe(2);
    await clock.advance(1_000);
    expect(queue.length).toBe(4);
    expect(await queue.get()).toBe("b");
    queue.add("b");
    expect(queue.length).toBe(4);
  });

  test("keeps the position of a key that was added during processing", async () => {
    const queue = createPriorityQueue<string>();
    queue.add("a");
    await queue.get();
    queue.add("a");
    queue.add("b");
    expect(await queue.get()).toBe("b");
    queue.add("c");
    queue.done("a");
    expect([await queue.get(), await queue.get()]).toEqual(["a", "c"]);
  });

  test("keeps the position of a delayed key whose delay an add ends", async () => {
    const queue = createPriorityQueue<string>({ clock: createFakeClock() });
    queue.addAfter("a", 1_000, { priority: 1 });
    queue.add("b", { priority: 1 });
    queue.add("a");
    expect(await all(queue)).toEqual(["a 1", "b 1"]);
  });

  test("hands out nothing after shutDown", async () => {
    const queue = createPriorityQueue<string>();
    queue.add("a");
    queue.shutDown();
    queue.addAfter("b", 1_000);
    expect([await queue.get(), await queue.getWithPriority()]).toEqual([undefined, undefined]);
  });

  test("backs off per key only by default", () => {
    const clock = createFakeClock();
    const queue = createPriorityQueue<string>({ clock });
    for (let i = 0; i < 500; i++) queue.addRateLimited(`key-${i}`);
    return clock.advance(5).then(() => expect(queue.length).toBe(500));
  });
});
