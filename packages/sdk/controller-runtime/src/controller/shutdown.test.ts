import { expect, test } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { ReconcileFunction } from "../reconcile/reconciler.ts";
import type { ControllerOptions } from "./options.ts";
import { createTestManager, createTestSource } from "./testing/test-manager.ts";

const request = (name: string) => ({ namespace: "default", name });

async function start(
  reconcile: ReconcileFunction,
  gracefulShutdownTimeout = 30_000,
  options: ControllerOptions = {},
) {
  const test = createTestManager({ gracefulShutdownTimeout });
  const source = createTestSource();
  newControllerManagedBy(test.manager)
    .named("test")
    .watchesRawSource(source)
    .withOptions(options)
    .complete(reconcile);
  const { stop, ended } = test.run();
  await test.clock.advance(0);
  const state = { ended: false };
  ended.then(
    () => (state.ended = true),
    () => (state.ended = true),
  );
  return { ...test, source, stop, ended, state };
}

test.each([true, false])(
  "finishes running reconciles and starts no more; priority queue: %s",
  async (usePriorityQueue) => {
    const log: string[] = [];
    const reconcile: ReconcileFunction = async ({ name }, { signal }) => {
      log.push(`${name} begins`);
      await clock.sleep(5_000);
      log.push(`${name} ends, aborted: ${signal.aborted}`);
      return { requeueAfter: 1 };
    };
    const { clock, source, stop, ended, state } = await start(reconcile, 30_000, { usePriorityQueue });
    for (const name of ["a", "b", "c"]) source.add(request(name));
    await clock.advance(1_000);
    stop();
    await clock.advance(3_000);
    expect(state.ended).toBe(false);
    await clock.advance(1_000);
    await ended;
    await clock.advance(60_000);
    expect(log).toEqual(["a begins", "a ends, aborted: true"]);
  },
);

test("treats an abort as no failure, and any other error as one", async () => {
  const reason = new Error("bye");
  const { clock, source, stop, ended, metric, lines } = await start(async ({ name }, { signal }) => {
    await clock.sleep(name === "slow" ? 1_000_000 : 0, signal);
  });
  source.add(request("slow"));
  await clock.advance(10);
  stop(reason);
  await clock.advance(10);
  await ended;
  expect(await metric('controller_runtime_reconcile_errors_total{controller="test"}')).toBe(0);
  expect(await metric('controller_runtime_active_workers{controller="test"}')).toBe(0);
  expect(lines("Reconciler error")).toEqual([]);

  const other = await start(async (_, { signal }) => {
    await other.clock.sleep(1_000, signal).catch(() => {});
    throw new Error("it broke");
  });
  other.source.add(request("a"));
  await other.clock.advance(10);
  other.stop();
  await other.clock.advance(10);
  await other.ended;
  expect(await other.metric('controller_runtime_reconcile_errors_total{controller="test"}')).toBe(1);
});

test("names a runnable that does not stop in time, and stops waiting for it", async () => {
  const { clock, source, stop, ended, state } = await start(() => new Promise(() => {}));
  source.add(request("a"));
  await clock.advance(10);
  stop();
  await clock.advance(29_999);
  expect(state.ended).toBe(false);
  await clock.advance(1);
  await expect(ended).rejects.toThrow(
    "failed waiting for all runnables to end within grace period of 30s: test still running",
  );
});

test("waits for nothing with a grace period of 0", async () => {
  const { clock, source, stop, ended } = await start(() => new Promise(() => {}), 0);
  source.add(request("a"));
  await clock.advance(10);
  stop();
  await clock.advance(0);
  await ended;
});

test("waits for everything with an infinite grace period", async () => {
  const { clock, source, stop, ended, state } = await start(
    () => clock.sleep(3_600_000),
    Number.POSITIVE_INFINITY,
  );
  source.add(request("a"));
  await clock.advance(10);
  stop();
  await clock.advance(3_000_000);
  expect(state.ended).toBe(false);
  await clock.advance(600_000);
  await ended;
});

test("leaves no timer behind after a warm-up without leadership", async () => {
  const { manager, clock, run } = createTestManager({ leaderElection: { id: "test", namespace: "default" } });
  const source = createTestSource();
  newControllerManagedBy(manager)
    .named("test")
    .watchesRawSource(source)
    .withOptions({ enableWarmup: true })
    .complete(() => {});
  const { stop, ended } = run();
  await clock.advance(0);
  source.add(request("a"), { after: 3_600_000 });
  stop();
  await clock.advance(60_000);
  await ended;
  expect(clock.pending()).toBe(0);
});
