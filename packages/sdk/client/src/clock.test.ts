import { expect, test, vi } from "vitest";
import { systemClock } from "./clock.ts";

test("waits a whole month, although a timer of Node would fire at once", async () => {
  vi.useFakeTimers();
  try {
    const month = 30 * 24 * 3_600_000;
    const log: string[] = [];
    systemClock.setTimeout(() => log.push("month"), month);
    const cancelled = systemClock.setTimeout(() => log.push("cancelled"), month);
    const sleep = systemClock.sleep(month).then(() => log.push("slept"));
    await vi.advanceTimersByTimeAsync(month - 1);
    systemClock.clearTimeout(cancelled);
    expect(log).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await sleep;
    expect(log).toEqual(["month", "slept"]);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("does not change the steady clock when the wall clock is set", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const before = systemClock.steady();
    vi.setSystemTime(Date.now() - 3_600_000);
    const after = systemClock.steady();
    expect(after - before).toBeGreaterThanOrEqual(0);
    expect(after - before).toBeLessThan(60_000);
  } finally {
    vi.useRealTimers();
  }
});
