import { expect, it } from "vitest";
import { parseDuration } from "./parse-duration.ts";

// The right side in nanoseconds is what Go's time.ParseDuration answers.
it.each([
  ["0", 0],
  ["+0", 0],
  ["1m", 60_000_000_000],
  ["1h30m", 5_400_000_000_000],
  ["1.5s", 1_500_000_000],
  [".5s", 500_000_000],
  ["5.s", 5_000_000_000],
  ["+5s", 5_000_000_000],
  ["100ms", 100_000_000],
  ["10us10µs10μs", 30_000],
  ["7ns", 7],
  ["1s1s", 2_000_000_000],
  ["2540400h", 9_145_440_000_000_000_000],
])("%s", (text, nanoseconds) => {
  expect(parseDuration(text)).toBeCloseTo(nanoseconds / 1e6);
});

it.each(["", "1", "s", "1 s", "-1s", "--1s", "1x", "1S", ".s", "1d", "2562048h", "1e3s", "1.2.3s"])(
  "%j is none",
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);
