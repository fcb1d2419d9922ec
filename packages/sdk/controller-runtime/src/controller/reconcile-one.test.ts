import { type ConfigMap, configMaps } from "@operator-path/client";
import { expect, test } from "vitest";
import { removeOwnerReference, setControllerReference } from "../controllerutil/owner-references.ts";
import { createReconcileSignal, ReconcileTimeoutError } from "./reconcile-signal.ts";
import { startController as start } from "./testing/start-controller.ts";
import { createTestManager } from "./testing/test-manager.ts";

const a = { namespace: "default", name: "a" };
const b = { namespace: "default", name: "b" };
test("merges triggers into one reconcile with the first cause and their number", async () => {
  const causes: unknown[] = [];
  const { clock, source } = await start(
    async (request, { cause }) => {
      causes.push([request.name, cause]);
      await clock.sleep(1_000);
    },
    { maxConcurrentReconciles: 1 },
  );
  source.add(b);
  await clock.advance(100);
  source.add(a, { cause: { trigger: "updated", resource: "Deployment", object: "default/x" } });
  source.add(a);
  await clock.advance(300);
  source.add(a);
  await clock.advance(600);
  expect(causes[1]).toEqual([
    "a",
    { trigger: "updated", resource: "Deployment", object: "default/x", count: 3, queuedFor: 900, retries: 0 },
  ]);
});

test("handles higher priorities first, keeps the priority for retries, and lets a result change it", async () => {
  const order: string[] = [];
  const { clock, source } = await start(async ({ name }) => {
    const isFirstTime = !order.includes(name);
    order.push(name);
    await clock.sleep(10);
    if (name === "raised" && isFirstTime) return { requeueAfter: 5, priority: 7 };
    if (name === "failing" && isFirstTime) throw new Error("again");
    return undefined;
  });
  const add = (name: string, priority: number) => source.add({ namespace: "", name }, { priority });
  add("raised", 0);
  add("low", -100);
  add("failing", -50);
  add("fresh", 0);
  add("urgent", 5);
  add("later", -50);
  add("last", -50);
  await clock.advance(200);
  expect(order).toEqual([
    ...["raised", "urgent", "raised", "fresh", "failing", "later"],
    ...["last", "failing", "low"],
  ]);
});

test("aborts a reconcile that takes too long, counts a timeout, and does not start a second one", async () => {
  const reasons: unknown[] = [];
  let active = 0;
  let peak = 0;
  const { clock, source, times, metric, lines } = await start(
    async (_, { signal }) => {
      peak = Math.max(peak, ++active);
      await clock.sleep(1_000, signal).catch((reason) => reasons.push(reason));
      await clock.sleep(500);
      active--;
      if (times.length === 1) signal.throwIfAborted();
    },
    { reconciliationTimeout: 200, maxConcurrentReconciles: 2 },
  );
  source.add(a);
  await clock.advance(100);
  source.add(a);
  await clock.advance(10_000);
  expect([times, peak]).toEqual([[0, 700], 1]);
  expect(reasons[0]).toBeInstanceOf(ReconcileTimeoutError);
  expect(await metric('controller_runtime_reconcile_timeouts_total{controller="test"}')).toBe(2);
  expect(lines("Reconciler error").map(({ error }) => error)).toEqual([
    "the reconcile took longer than 200 ms",
  ]);
});

test("a process that was blocked past the timeout sees the abort when it reads the signal", async () => {
  const seen: boolean[] = [];
  let now = 0;
  const { manager } = createTestManager();
  const clock = { ...manager.clock, steady: () => now };
  const { signal, release } = createReconcileSignal(new AbortController().signal, clock, 200);
  seen.push(signal.aborted);
  now = 300;
  seen.push(signal.aborted);
  expect(() => signal.throwIfAborted()).toThrow(ReconcileTimeoutError);
  release();
  expect(seen).toEqual([false, true]);
});

test("counts a programming error as a panic and retries it", async () => {
  const { clock, source, times, metric } = await start(() => {
    if (times.length === 1) (undefined as unknown as { name(): void }).name();
    if (times.length === 2) throw "a string";
    if (times.length === 3) throw new TypeError("fetch failed", { cause: new Error("ECONNRESET") });
  });
  source.add(a);
  await clock.advance(10_000);
  expect(times).toHaveLength(4);
  expect(await metric('controller_runtime_reconcile_panics_total{controller="test"}')).toBe(2);
  expect(await metric('controller_runtime_reconcile_errors_total{controller="test"}')).toBe(3);
});

test("does not count errors of the library and of Node as panics", async () => {
  const owner: ConfigMap = {
    ...{ apiVersion: "v1", kind: "ConfigMap" },
    metadata: { namespace: "a", name: "owner", uid: "1" },
  };
  const { clock, source, times, metric, manager } = await start(
    async ({ name }) => {
      const { client, apiReader } = manager;
      if (times.length > 1) return;
      if (name === "owner") setControllerReference(owner, { metadata: { namespace: "b" } });
      if (name === "no owner") removeOwnerReference(owner, {});
      if (name === "no name") await apiReader.get(configMaps, { namespace: "a", name: "" });
      if (name === "no namespace") await client.get(configMaps, { name: "x" });
      if (name === "url") new URL("not a URL");
    },
    { recoverPanic: false, maxConcurrentReconciles: 5 },
  );
  for (const name of ["owner", "no owner", "no name", "no namespace", "url"]) {
    times.length = 0;
    source.add({ namespace: "", name });
    await clock.advance(1_000);
  }
  expect(await metric('controller_runtime_reconcile_panics_total{controller="test"}')).toBe(0);
  expect(await metric('controller_runtime_reconcile_errors_total{controller="test"}')).toBe(5);
});

test("recoverPanic: false ends the manager for panics only", async () => {
  const { clock, source, ended, lines } = await start(
    ({ name }) => {
      if (name === "a") throw new Error("an ordinary one");
      throw new RangeError("index 3 of 2");
    },
    { recoverPanic: false },
  );
  source.add(a);
  await clock.advance(10);
  expect(lines("Reconciler error").length).toBeGreaterThan(0);
  source.add(b);
  await clock.advance(0);
  await expect(ended).rejects.toThrow("index 3 of 2");
});

test.each([
  [
    { maxConcurrentReconciles: 0 },
    "controller test: maxConcurrentReconciles is 0: set a whole number of at least 1",
  ],
  [
    { cacheSyncTimeout: -1 },
    "controller test: cacheSyncTimeout is -1: set milliseconds above 0, or leave it out",
  ],
])("rejects an invalid option by name: %j", async (options, message) => {
  await expect(start(() => {}, options)).rejects.toThrow(message);
});
