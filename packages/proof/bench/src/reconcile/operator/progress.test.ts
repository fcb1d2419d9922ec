import { expect, test, vi } from "vitest";
import { createProgress } from "./progress.ts";

test("settled is when all are done and nothing was written for a while, as of the last write", async () => {
  vi.useFakeTimers();
  let time = 0;
  const progress = createProgress(2, () => time);
  let settled: number | undefined;
  const done = progress.settled().then((at) => {
    settled = at;
  });
  const at = async (now: number, act = () => {}) => {
    time = now;
    act();
    await vi.advanceTimersByTimeAsync(60);
  };
  await at(100, () => progress.finished("a"));
  await at(5_000);
  expect(settled).toBeUndefined();
  await at(5_100, () => progress.finished("b"));
  await at(7_000, () => progress.operation("updated"));
  await at(8_900, () => progress.operation("unchanged"));
  expect(settled).toBeUndefined();
  await at(9_000);
  await done;
  expect(settled).toBe(7_000);
  vi.useRealTimers();
});
