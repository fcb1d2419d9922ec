import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { createExpectations } from "./expectations.ts";

test("expects creations until each was observed", () => {
  const expectations = createExpectations(createFakeClock());
  expectations.expectCreations("a", 2);
  expectations.creationObserved("a");
  expectations.creationObserved("b");
  expect(expectations.satisfied("a")).toBe(false);
  expectations.creationObserved("a");
  expect(expectations.satisfied("a")).toBe(true);
});

test("counts a deletion that is seen twice once", () => {
  const expectations = createExpectations(createFakeClock());
  expectations.expectDeletions("a", ["pod-1", "pod-2"]);
  expectations.deletionObserved("a", "pod-1");
  expectations.deletionObserved("a", "pod-1");
  expect(expectations.satisfied("a")).toBe(false);
  expectations.deletionObserved("a", "pod-2");
  expect(expectations.satisfied("a")).toBe(true);
});

test("a lost event delays for five minutes, not forever", async () => {
  const clock = createFakeClock();
  const expectations = createExpectations(clock);
  expectations.expectCreations("a", 1);
  await clock.advance(5 * 60_000);
  expect(expectations.satisfied("a")).toBe(false);
  await clock.advance(1);
  expect(expectations.satisfied("a")).toBe(true);
});

test("setting the clock does not change how long a lost event delays", async () => {
  const clock = createFakeClock();
  const expectations = createExpectations(clock);
  expectations.expectCreations("a", 1);
  clock.set(24 * 3_600_000);
  expect(expectations.satisfied("a")).toBe(false);
  clock.set(-24 * 3_600_000);
  await clock.advance(5 * 60_000 + 1);
  expect(expectations.satisfied("a")).toBe(true);
});
