import { expect, test } from "vitest";
import { TerminalError } from "../reconcile/terminal-error.ts";
import { startController as start } from "./testing/start-controller.ts";

const a = { namespace: "default", name: "a" };

test("retries failures with back-off until a success", async () => {
  let failures = 4;
  const seen: unknown[] = [];
  const { clock, source, times, results, lines, metric } = await start((_, { cause }) => {
    seen.push([cause.trigger, cause.retries]);
    if (failures-- > 0) throw new Error("not yet");
  });
  source.add(a);
  await clock.advance(10_000);
  expect(times).toEqual([0, 5, 15, 35, 75]);
  expect(seen).toEqual([
    ["generic", 0],
    ["backoff", 1],
    ["backoff", 2],
    ["backoff", 3],
    ["backoff", 4],
  ]);
  failures = 1;
  source.add(a);
  await clock.advance(10_000);
  expect(times.slice(5)).toEqual([10_000, 10_005]);
  expect(await results()).toEqual([2, 0, 0, 5]);
  expect(await metric('controller_runtime_reconcile_errors_total{controller="test"}')).toBe(5);
  expect(await metric('workqueue_retries_total{name="test"}')).toBe(5);
  expect(lines("Reconciler error")[1]).toMatchObject({
    ...{ level: "error", logger: "controllers.test", controller: "test", namespace: "default", name: "a" },
    ...{ error: "not yet", cause: { trigger: "backoff", retries: 1, count: 1, queuedFor: 0 } },
    reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    stacktrace: expect.stringContaining("controller.test.ts"),
  });
});

test("a change during the back-off ends it and becomes the cause", async () => {
  const causes: unknown[] = [];
  const { clock, source, times } = await start((_, { cause }) => {
    causes.push([cause.trigger, cause.count]);
    if (causes.length < 10) throw new Error("no");
    return undefined;
  });
  source.add(a);
  await clock.advance(1_000);
  expect(times).toHaveLength(8);
  source.add(a, { cause: { trigger: "updated" } });
  await clock.advance(0);
  expect(times[8]).toBe(1_000);
  expect(causes[8]).toEqual(["updated", 2]);
});

test("a change while a worker takes the request becomes the cause of the next reconcile", async () => {
  const causes: unknown[] = [];
  const { clock, source } = await start((_, { cause }) => {
    causes.push([cause.trigger, cause.count]);
  });
  await clock.advance(0);
  source.add(a, { cause: { trigger: "added" } });
  source.add(a, { cause: { trigger: "updated" } });
  source.add(a, { cause: { trigger: "deleted" } });
  await clock.advance(0);
  expect(causes).toEqual([
    ["added", 1],
    ["updated", 2],
  ]);
});

test("does not retry a TerminalError at any depth of causes, and starts over with the next change", async () => {
  const errors: Error[] = [
    new TerminalError("spec.size is -1"),
    new Error("cannot do it", { cause: new TerminalError("never") }),
    new AggregateError([new Error("one"), new TerminalError("two")]),
  ];
  const { clock, source, times, results, metric } = await start(() => {
    throw errors.shift();
  });
  for (let time = 1; time <= 3; time++) {
    source.add(a);
    await clock.advance(3_600_000);
    expect(times).toHaveLength(time);
  }
  expect(await results()).toEqual([0, 0, 0, 3]);
  expect(await metric('controller_runtime_terminal_reconcile_errors_total{controller="test"}')).toBe(3);
});

test("restarts the back-off with the change after a TerminalError", async () => {
  const errors: Error[] = [new Error("1"), new Error("2"), new TerminalError("3"), new Error("4")];
  const { clock, source, times } = await start(() => {
    const error = errors.shift();
    if (error) throw error;
  });
  source.add(a);
  await clock.advance(1_000);
  source.add(a);
  await clock.advance(1_000);
  expect(times).toEqual([0, 5, 15, 1_000, 1_005]);
});

test("requeueAfter reconciles after the delay and ends the back-off", async () => {
  let time = 0;
  const causes: unknown[] = [];
  const { clock, source, times, results } = await start((_, { cause }) => {
    causes.push(cause.trigger);
    time++;
    if (time === 3) return { requeueAfter: 60_000 };
    if (time < 5) throw new Error("no");
    return { requeueAfter: 0 };
  });
  source.add(a);
  await clock.advance(3_600_000);
  expect(times).toEqual([0, 5, 15, 60_015, 60_020]);
  expect(causes).toEqual(["generic", "backoff", "backoff", "requeueAfter", "backoff"]);
  expect(await results()).toEqual([1, 1, 0, 3]);
});

test("the deprecated requeue uses the rate limiter's delays", async () => {
  let left = 3;
  const { clock, source, times, results } = await start(() => ({ requeue: left-- > 0 }));
  source.add(a);
  await clock.advance(60_000);
  expect(times).toEqual([0, 5, 15, 35]);
  expect(await results()).toEqual([1, 0, 3, 0]);
});

test("reports an invalid result as an error of the reconciler", async () => {
  const { clock, source, lines } = await start(() => ({ requeueAfter: Number.NaN }));
  source.add(a);
  await clock.advance(0);
  expect(lines("Reconciler error")[0]?.error).toBe(
    "the reconciler returned requeueAfter NaN: return a number, or leave it out",
  );
});

test("does not call a reconciler again that returns nothing", async () => {
  const { clock, source, times } = await start(() => {});
  source.add(a);
  await clock.advance(36_000_000);
  expect(times).toEqual([0]);
});
