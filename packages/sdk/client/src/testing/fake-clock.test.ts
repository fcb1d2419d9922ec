import { expect, test } from "vitest";
import { createFakeClock } from "./fake-clock.ts";

test("runs timers in order of time, including timers set by timers", async () => {
  const clock = createFakeClock(0);
  const log: [string, number][] = [];
  clock.setTimeout(() => log.push(["b", clock.now()]), 20);
  clock.setTimeout(() => {
    log.push(["a", clock.now()]);
    clock.setTimeout(() => log.push(["c", clock.now()]), 15);
  }, 10);
  await clock.advance(24);
  expect(log).toEqual([
    ["a", 10],
    ["b", 20],
  ]);
  await clock.advance(1);
  expect(log.at(-1)).toEqual(["c", 25]);
  expect(clock.pending()).toBe(0);
});

test("ends a sleep with the reason of its signal, and leaves no timer", async () => {
  const clock = createFakeClock();
  const abort = new AbortController();
  const sleep = clock.sleep(1_000, abort.signal);
  abort.abort(new Error("up"));
  await expect(sleep).rejects.toThrow("up");
  expect(clock.pending()).toBe(0);
});
