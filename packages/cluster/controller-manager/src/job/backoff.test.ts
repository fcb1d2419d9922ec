import type { Pod } from "@operator-path/client";
import { expect, test } from "vitest";
import { createPodBackoff } from "./backoff.ts";

test("a clock that is set back a day delays a Job's next Pod no longer than its back-off", () => {
  const backoff = createPodBackoff();
  const day = 24 * 3_600_000;
  const failed: Pod = { metadata: { uid: "a", deletionTimestamp: new Date(day).toISOString() } };
  backoff.ended("job", [], [failed], day);
  expect(backoff.remaining("job", day)).toBe(10_000);
  expect(backoff.remaining("job", 0)).toBe(10_000);
  expect(backoff.remaining("job", 10_000)).toBe(0);
});
