import { createFakeClock } from "@operator-path/client/testing";
import { describe, expect, test } from "vitest";
import {
  bucketRateLimiter,
  defaultControllerRateLimiter,
  exponentialFailureRateLimiter,
  fastSlowRateLimiter,
  maxOfRateLimiter,
  type RateLimiter,
  withMaxWaitRateLimiter,
} from "./rate-limiter.ts";

const waits = <K>(limiter: RateLimiter<K>, key: K, times: number): number[] =>
  Array.from({ length: times }, () => limiter.when(key));

describe("the exponential limiter", () => {
  test("doubles per failure of a key, and starts over after forget", () => {
    const limiter = exponentialFailureRateLimiter<string>({ base: 1, max: 1_000 });
    expect(waits(limiter, "one", 5)).toEqual([1, 2, 4, 8, 16]);
    expect(waits(limiter, "two", 2)).toEqual([1, 2]);
    expect([limiter.numRequeues("one"), limiter.numRequeues("two")]).toEqual([5, 2]);
    limiter.forget("one");
    expect([limiter.numRequeues("one"), limiter.when("one")]).toEqual([0, 1]);
  });

  test.each([
    ["5 ms", undefined, 1_000_000],
    ["a minute", { base: 60_000, max: 3_600_000_000 }, 3_600_000_000],
    ["nothing", { base: 0, max: 10 }, 0],
  ])("stays at the cap from %s, even after 3,000 failures", (_, options, cap) => {
    const limiter = exponentialFailureRateLimiter<string>(options);
    expect(new Set(waits(limiter, "broken", 3_000).slice(40))).toEqual(new Set([cap]));
  });
});

test("slows down after the configured number of failures", () => {
  const limiter = fastSlowRateLimiter<string>({ fast: 5, slow: 10_000, maxFastAttempts: 3 });
  expect(waits(limiter, "one", 5)).toEqual([5, 5, 5, 10_000, 10_000]);
  expect(waits(limiter, "two", 2)).toEqual([5, 5]);
  expect(limiter.numRequeues("one")).toBe(5);
  limiter.forget("one");
  expect([limiter.numRequeues("one"), limiter.when("one")]).toEqual([0, 5]);
});

describe("the bucket limiter", () => {
  const never = Number.POSITIVE_INFINITY;

  // Milliseconds that the clock moves, and the result of Reserve().Delay() in golang.org/x/time v0.14.0.
  test.each([
    {
      ...{ qps: 10, burst: 3 },
      steps: [187, 0, 0, 357, 28, 0, 367, 0, 2, 52, 3000, 32, -44, 0],
      delays: [0, 0, 0, 0, 0, 0, 0, 0, 0, 46, 0, 0, 0, 68],
    },
    {
      ...{ qps: 0.5, burst: 1 },
      steps: [187, 0, 0, 357, 28, 0, 367, 0, 2, 52, 3000, 32, -44, 0],
      delays: [
        ...[0, 2000, 4000, 5643, 7615, 9615, 11248, 13248, 15246, 17194],
        ...[16194, 18162, 20162, 22162],
      ],
    },
    {
      ...{ qps: 1000, burst: 2 },
      steps: [187, 0, 0, 357, 28, 0, 367, 0, 2, 52, 3000, 32, -44, 0],
      delays: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    },
    { qps: 0, burst: 2, steps: [187, 0, 0, 357], delays: [0, 0, never, never] },
    { qps: 7, burst: 0, steps: [187, 0, 3000], delays: [never, never, never] },
    { qps: never, burst: 0, steps: [0, 0], delays: [0, 0] },
  ])("waits as Go's does with $qps per second and bursts of $burst, even if the clock is set back", (row) => {
    const clock = createFakeClock();
    let now = clock.now();
    const limiter = bucketRateLimiter<string>({ ...clock, steady: () => now }, row);
    const delays = row.steps.map((step, index) => {
      now += step;
      return limiter.when(`key-${index}`);
    });
    expect(delays.map((delay) => Math.round(delay * 1e6) / 1e6)).toEqual(row.delays);
    expect(limiter.numRequeues("key-0")).toBe(0);
  });
});

test("returns the longest wait of several, and counts the failure in each", () => {
  const limiter = maxOfRateLimiter<string>(
    fastSlowRateLimiter({ fast: 5, slow: 3_000, maxFastAttempts: 3 }),
    exponentialFailureRateLimiter({ base: 1, max: 1_000 }),
  );
  expect(waits(limiter, "one", 5)).toEqual([5, 5, 5, 3_000, 3_000]);
  expect(limiter.numRequeues("one")).toBe(5);
  limiter.forget("one");
  expect([limiter.numRequeues("one"), limiter.when("one")]).toEqual([0, 5]);
  expect([maxOfRateLimiter<string>().when("one"), maxOfRateLimiter<string>().numRequeues("one")]).toEqual([
    0, 0,
  ]);
});

test("limits every wait, even that of a bucket without tokens", () => {
  const clock = createFakeClock();
  const limiter = withMaxWaitRateLimiter<string>(
    maxOfRateLimiter(exponentialFailureRateLimiter(), bucketRateLimiter(clock, { qps: 0, burst: 3 })),
    15,
  );
  expect(waits(limiter, "one", 4)).toEqual([5, 10, 15, 15]);
  expect(limiter.numRequeues("one")).toBe(4);
  limiter.forget("one");
  expect(limiter.numRequeues("one")).toBe(0);
});

test("backs off per key and limits all keys to 10 per second after 100 by default", () => {
  const limiter = defaultControllerRateLimiter<string>(createFakeClock());
  expect(waits(limiter, "one", 4)).toEqual([5, 10, 20, 40]);
  const others = Array.from({ length: 98 }, (_, index) => limiter.when(`key-${index}`));
  expect(others.slice(-4).map(Math.round)).toEqual([5, 5, 100, 200]);
});
