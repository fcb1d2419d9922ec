import { configMaps } from "@operator-path/client";
import { expect, test } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { createMemoryCluster } from "../controller/testing/memory-cluster.ts";
import { createTestManager, createTestSource } from "../controller/testing/test-manager.ts";
import type { Runnable } from "./runnable.ts";

/** A runnable that records when it starts and ends, and takes a second to end. */
function createDiary(clock: { sleep(milliseconds: number): Promise<void> }) {
  const diary: string[] = [];
  const runnable = (name: string, more: Partial<Runnable> = {}): Runnable => ({
    name,
    async start(signal) {
      diary.push(`+${name}`);
      if (!signal.aborted) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      }
      await clock.sleep(1_000);
      diary.push(`-${name}`);
    },
    ...more,
  });
  return { diary, runnable };
}

test("starts groups in order when the previous is ready, and stops them in order when the previous has ended", async () => {
  const { manager, clock, run } = createTestManager();
  const { diary, runnable } = createDiary(clock);
  const warmed = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  manager.add(
    runnable("leader", {
      async warmup() {
        diary.push("+warm-up");
        await warmed.promise;
      },
    }),
  );
  manager.add(runnable("other", { needLeaderElection: false }));
  manager.add(runnable("cache", { group: "caches" }));
  manager.add(runnable("webhook", { group: "webhooks", ready: () => ready.promise }));
  manager.add(runnable("server", { group: "httpServers" }));
  let elected = false;
  manager.elected.then(() => (elected = true));
  const { stop, ended } = run();
  await clock.advance(0);
  expect(diary).toEqual(["+server", "+webhook"]);
  ready.resolve();
  await clock.advance(0);
  expect(diary.splice(0)).toEqual(["+server", "+webhook", "+cache", "+other", "+warm-up"]);
  expect(elected).toBe(false);
  warmed.resolve();
  await clock.advance(0);
  expect(diary.splice(0)).toEqual(["+leader"]);
  expect(elected).toBe(true);
  stop();
  await clock.advance(999);
  expect(diary).toEqual([]);
  await clock.advance(10_000);
  await ended;
  expect(diary).toEqual(["-other", "-leader", "-cache", "-webhook", "-server"]);
});

test("the first failure stops everything and rejects start", async () => {
  const { manager, clock, run, lines } = createTestManager();
  const { diary, runnable } = createDiary(clock);
  manager.add(runnable("other", { needLeaderElection: false }));
  manager.add({
    name: "bad",
    start: () => clock.sleep(5_000).then(() => Promise.reject(new Error("first"))),
  });
  manager.add({
    name: "worse",
    async start(signal) {
      await clock.sleep(1_000_000, signal).catch(() => {});
      throw new Error("second");
    },
  });
  const { ended } = run();
  await clock.advance(6_100);
  await expect(ended).rejects.toThrow("first");
  expect(diary).toEqual(["+other", "-other"]);
  expect(lines("A runnable failed while the manager stopped")).toMatchObject([
    { error: "second", runnable: "worse" },
  ]);
});

test("a runnable that throws synchronously or is never ready fails the same way", async () => {
  const one = createTestManager();
  one.manager.add({
    name: "bad",
    start() {
      throw new Error("at once");
    },
  });
  const first = one.run();
  await one.clock.advance(0);
  await expect(first.ended).rejects.toThrow("at once");

  const two = createTestManager();
  const { runnable } = createDiary(two.clock);
  two.manager.add(
    runnable("webhook", { group: "webhooks", ready: () => Promise.reject(new Error("no certificate")) }),
  );
  const second = two.run();
  await two.clock.advance(2_000);
  await expect(second.ended).rejects.toThrow("no certificate");
});

test("an early end is not a failure, and a late runnable starts at once or with its group", async () => {
  const { manager, clock, run } = createTestManager();
  const { diary, runnable } = createDiary(clock);
  const ready = Promise.withResolvers<void>();
  manager.add({ name: "done", start: async () => {} });
  manager.add(runnable("webhook", { group: "webhooks", ready: () => ready.promise }));
  const { stop, ended } = run();
  await clock.advance(0);
  manager.add(runnable("late leader"));
  manager.add(runnable("late server", { group: "httpServers" }));
  await clock.advance(0);
  expect(diary).toEqual(["+webhook", "+late server"]);
  ready.resolve();
  await clock.advance(0);
  manager.add(runnable("later"));
  await clock.advance(0);
  expect(diary.slice(2)).toEqual(["+late leader", "+later"]);
  stop();
  await clock.advance(5_000);
  await ended;
  expect(() => manager.add(runnable("too late"))).toThrow("the manager is stopping");
});

test("an abort during the start ends what has started and starts nothing else", async () => {
  const { manager, clock, run } = createTestManager();
  const { diary, runnable } = createDiary(clock);
  manager.add(runnable("webhook", { group: "webhooks", ready: () => new Promise(() => {}) }));
  manager.add(runnable("leader"));
  const { stop, ended } = run();
  await clock.advance(0);
  stop();
  await clock.advance(1_000);
  await ended;
  await clock.advance(1_000);
  expect(diary).toEqual(["+webhook", "-webhook"]);
});

test("rejects a second start and an invalid grace period", async () => {
  const { manager, clock, run } = createTestManager();
  const { stop, ended } = run();
  await clock.advance(0);
  await expect(manager.start(new AbortController().signal)).rejects.toThrow(
    "the manager has already started: create another one",
  );
  stop();
  await clock.advance(0);
  await ended;
  expect(() => createTestManager({ gracefulShutdownTimeout: -1 })).toThrow("gracefulShutdownTimeout is -1");
});

test("a reconcile that waits for the first list of a missing kind does not delay the shutdown", async () => {
  const { clock, manager: create } = createMemoryCluster();
  const { manager, run, lines } = create();
  const source = createTestSource();
  newControllerManagedBy(manager)
    .named("test")
    .watchesRawSource(source)
    .complete(async () => {
      await manager.client.list(configMaps);
    });
  const { stop, ended } = run();
  await clock.advance(0);
  source.add({ namespace: "", name: "a" });
  await clock.advance(1_000);
  stop();
  await clock.advance(10);
  await ended;
  expect(lines("Reconciler error")).toEqual([]);
});
