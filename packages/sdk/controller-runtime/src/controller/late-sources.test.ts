import { expect, test } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { createTestManager, createTestSource } from "./testing/test-manager.ts";

function start(cacheSyncTimeout = 120_000) {
  const test = createTestManager();
  const first = createTestSource();
  const reconciled: string[] = [];
  const log: string[] = [];
  const controller = newControllerManagedBy(test.manager)
    .named("test")
    .watchesRawSource(first)
    .withOptions({ cacheSyncTimeout })
    .build(async ({ name }, { signal }) => {
      reconciled.push(name);
      if (name !== "slow") return;
      await test.clock.sleep(1_000);
      log.push(`slow ends, aborted: ${signal.aborted}`);
    });
  return { ...test, controller, first, reconciled, log, ...test.run() };
}

test("starts a source at once that is added while the controller runs", async () => {
  const { clock, controller, reconciled } = start();
  await clock.advance(0);
  const late = createTestSource();
  controller.watch(late);
  await clock.advance(0);
  late.add({ namespace: "", name: "a" });
  await clock.advance(0);
  expect(reconciled).toEqual(["a"]);
});

test("fails when a late source fails to start, after aborting running reconciles", async () => {
  const { clock, controller, first, ended, log } = start();
  await clock.advance(0);
  first.add({ namespace: "", name: "slow" });
  await clock.advance(10);
  controller.watch({ name: "broken source", start: () => Promise.reject(new Error("no way in")) });
  await clock.advance(10);
  first.add({ namespace: "", name: "too late" });
  await clock.advance(1_000);
  await expect(ended).rejects.toThrow("controller test: failed to wait for broken source to sync: no way in");
  expect(log).toEqual(["slow ends, aborted: true"]);
});

test("logs a late source that does not sync in time, and uses it once it does", async () => {
  const { clock, controller, reconciled, lines } = start(5_000);
  await clock.advance(0);
  const late = createTestSource();
  controller.watch({
    ...late,
    name: "a kind that is not installed yet",
    waitForSync: () => new Promise(() => {}),
  });
  await clock.advance(3_600_000);
  const [line] = lines(
    "A source added after the start has not synced: it keeps running and delivers once it has",
  );
  expect(line).toMatchObject({
    source: "a kind that is not installed yet",
    error: "the source did not sync within 5 s",
  });
  late.add({ namespace: "", name: "a" });
  await clock.advance(0);
  expect(reconciled).toEqual(["a"]);
});

test("waits for all sources before reconciling, and fails when one does not sync in time", async () => {
  const { clock, controller, first, reconciled, ended } = start(5_000);
  const synced = Promise.withResolvers<void>();
  controller.watch({ name: "slow source", start() {}, waitForSync: () => synced.promise });
  controller.watch({ name: "stuck source", start: () => new Promise(() => {}) });
  await clock.advance(0);
  first.add({ namespace: "", name: "a" });
  synced.resolve();
  await clock.advance(4_999);
  expect(reconciled).toEqual([]);
  await clock.advance(1);
  await expect(ended).rejects.toThrow(
    "controller test: failed to wait for stuck source to sync: the source did not sync within 5 s",
  );
  expect(reconciled).toEqual([]);
});
