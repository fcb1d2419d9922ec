import { expect, test, vi } from "vitest";
import { createProgress } from "./progress.ts";

test("settles at the last write, once all objects are done and no write followed for a while", async () => {
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
