import { expect, test } from "vitest";
import { createDeadline } from "./signals.ts";
import { createFakeClock } from "./testing/fake-clock.ts";

test("aborts a deadline after the given milliseconds without a sign of life", async () => {
  const clock = createFakeClock();
  const deadline = createDeadline(clock, 1_000, "silent");
  await clock.advance(900);
  deadline.extend();
  await clock.advance(999);
  expect(deadline.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(deadline.signal.reason).toEqual(new Error("silent"));
  expect(clock.pending()).toBe(0);
});

test.each([
  ["back", -3_600_000],
  ["forward", 3_600_000],
])("aborts a deadline at the same moment if the wall clock is set %s by an hour", async (_, set) => {
  const clock = createFakeClock();
  const deadline = createDeadline(clock, 1_000, "silent");
  await clock.advance(500);
  clock.set(set);
  await clock.advance(499);
  expect(deadline.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(deadline.signal.aborted).toBe(true);
});
