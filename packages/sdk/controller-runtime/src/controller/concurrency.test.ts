import fc from "fast-check";
import { expect, test } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { lowPriority } from "../handler/event-handler.ts";
import { createTestManager, createTestSource } from "./testing/test-manager.ts";

test("never reconciles one key twice at a time, merges triggers that arrive meanwhile, and uses all workers", async () => {
  const add = fc.record({
    key: fc.integer({ min: 0, max: 4 }),
    wait: fc.integer({ min: 0, max: 30 }),
    priority: fc.constantFrom(-100, 0, 10),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(add, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      async (adds, workers, fails) => {
        const { manager, clock } = createTestManager();
        const source = createTestSource();
        const active = new Set<string>();
        const begun = new Map<string, number>();
        const overlaps: string[] = [];
        let peak = 0;
        let reconciles = 0;
        newControllerManagedBy(manager)
          .named("test")
          .watchesRawSource(source)
          .withOptions({ maxConcurrentReconciles: workers })
          .complete(async ({ name }) => {
            if (active.has(name)) overlaps.push(name);
            active.add(name);
            begun.set(name, clock.now());
            peak = Math.max(peak, active.size);
            const fail = fails[reconciles++];
            await clock.sleep(20);
            active.delete(name);
            if (fail) throw new Error("random failure");
          });
        const stop = new AbortController();
        const ended = manager.start(stop.signal);
        await clock.advance(0);
        const lastAdd = new Map<string, number>();
        for (const { key, wait, priority } of adds) {
          source.add({ namespace: "", name: `${key}` }, { priority });
          lastAdd.set(`${key}`, clock.now());
          await clock.advance(wait);
        }
        await clock.advance(1_000_000);
        for (const [key, at] of lastAdd) expect(begun.get(key)).toBeGreaterThanOrEqual(at);
        expect(overlaps).toEqual([]);
        expect(reconciles).toBeLessThanOrEqual(
          adds.length + fails.slice(0, reconciles).filter(Boolean).length,
        );
        expect(peak).toBeLessThanOrEqual(workers);
        stop.abort();
        await ended;
      },
    ),
    { numRuns: 60 },
  );
});

test("runs as many reconciles at a time as there are workers", async () => {
  const { manager, clock, run, metric } = createTestManager();
  const source = createTestSource();
  newControllerManagedBy(manager)
    .named("test")
    .watchesRawSource(source)
    .withOptions({ maxConcurrentReconciles: 3 })
    .complete(() => clock.sleep(100));
  run();
  await clock.advance(0);
  for (let i = 0; i < 7; i++) source.add({ namespace: "", name: `${i}` });
  await clock.advance(0);
  expect(await metric('controller_runtime_active_workers{controller="test"}')).toBe(3);
  expect(await metric('controller_runtime_max_concurrent_reconciles{controller="test"}')).toBe(3);
  await clock.advance(299);
  expect(await metric('controller_runtime_active_workers{controller="test"}')).toBe(1);
  await clock.advance(1);
  expect(await metric('controller_runtime_active_workers{controller="test"}')).toBe(0);
  expect(await metric('controller_runtime_reconcile_time_seconds_count{controller="test"}')).toBe(7);
});

test.each([
  [true, ["busy", "fresh", "backlog"]],
  [false, ["busy", "backlog", "fresh"]],
])(
  "handles changes before a restart's backlog, if the priority queue is on (%s)",
  async (usePriorityQueue, order) => {
    const { manager, clock, run } = createTestManager();
    const source = createTestSource();
    const reconciled: string[] = [];
    newControllerManagedBy(manager)
      .named("test")
      .watchesRawSource(source)
      .withOptions({ usePriorityQueue })
      .complete(async ({ name }) => {
        reconciled.push(name);
        await clock.sleep(1);
      });
    run();
    await clock.advance(0);
    source.add({ namespace: "", name: "busy" });
    source.add({ namespace: "", name: "backlog" }, { priority: lowPriority });
    source.add({ namespace: "", name: "fresh" });
    await clock.advance(10);
    expect(reconciled).toEqual(order);
  },
);
