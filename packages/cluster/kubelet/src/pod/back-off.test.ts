import fc from "fast-check";
import { expect, it } from "vitest";
import { createBackOff, goDuration } from "./back-off.ts";

it("doubles from 10 s to 5 minutes, and starts over 10 minutes after the last failure", () => {
  const backOff = createBackOff();
  const delays: number[] = [];
  let now = 0;
  for (let i = 0; i < 7; i++) {
    backOff.next("pod", now);
    delays.push(backOff.delay("pod") / 1000);
    now += backOff.delay("pod");
  }
  expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300]);
  expect(backOff.remaining("pod", now, now + 299_999)).toBe(1);
  expect(backOff.remaining("pod", now, now + 300_000)).toBe(0);
  backOff.next("pod", now + 600_001);
  expect(backOff.delay("pod")).toBe(10_000);
});

it("does not wait for a key without failures, and never longer than 5 minutes", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.nat(700_000))), (failures) => {
      const backOff = createBackOff();
      let now = 0;
      const failed = new Set<string>();
      for (const [key, pause] of failures) {
        now += pause;
        backOff.next(key, now);
        failed.add(key);
      }
      for (const key of ["a", "b"]) {
        const wait = backOff.remaining(key, now, now);
        expect(wait).toBeLessThanOrEqual(300_000);
        if (!failed.has(key)) expect(wait).toBe(0);
      }
    }),
  );
});

it("prints durations as Go does", () => {
  expect([10_000, 80_000, 300_000].map(goDuration)).toEqual(["10s", "1m20s", "5m0s"]);
});

it("removes expired keys", () => {
  const backOff = createBackOff();
  backOff.next("gone", 1000);
  backOff.next("other", 601_001);
  expect([backOff.lastUpdate("gone"), backOff.lastUpdate("other")]).toEqual([0, 601_001]);
});
