import { expect, test } from "vitest";
import { createFailureBackoff } from "./failure-backoff.ts";

const minute = 60_000;

test("a failed Pod waits longer each time, one Pod once, and a quiet half hour makes it begin anew", () => {
  let now = 0;
  const failures = createFailureBackoff(() => now);
  expect(failures.waitFor("a", "1")).toBe(0);
  expect(failures.waitFor("a", "2")).toBe(1000);
  now += 400;
  expect(failures.waitFor("a", "2")).toBe(600);
  expect(failures.waitFor("a", "3")).toBe(2000);
  now += 2000 + 30 * minute;
  expect(failures.waitFor("a", "4")).toBe(0);
});

test("places where nothing has failed for half an hour are forgotten", () => {
  let now = 0;
  const failures = createFailureBackoff(() => now);
  for (let i = 0; i < 50; i++) failures.waitFor(`node-${i}`, "1");
  now += 10 * minute;
  failures.waitFor("node-0", "2");
  expect(failures.size).toBe(50);
  now += 25 * minute;
  failures.waitFor("another", "1");
  expect(failures.size).toBe(2);
});
