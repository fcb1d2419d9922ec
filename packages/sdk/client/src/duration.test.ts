import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DurationError, formatDuration, parseDuration, parseDurationNanoseconds } from "./duration.ts";

// The results of Go 1.26: time.ParseDuration in nanoseconds, and its String.
describe("durations", () => {
  test.each<[string, bigint, string]>([
    ["0", 0n, "0s"],
    ["-0", 0n, "0s"],
    ["0h", 0n, "0s"],
    ["1h30m", 5_400_000_000_000n, "1h30m0s"],
    ["1.5s", 1_500_000_000n, "1.5s"],
    ["-1.5h", -5_400_000_000_000n, "-1h30m0s"],
    ["+5s", 5_000_000_000n, "5s"],
    ["100ms", 100_000_000n, "100ms"],
    ["1us", 1000n, "1µs"],
    ["1µs", 1000n, "1µs"],
    ["1μs", 1000n, "1µs"],
    ["0.1us", 100n, "100ns"],
    ["1ns", 1n, "1ns"],
    ["90s", 90_000_000_000n, "1m30s"],
    ["1h", 3_600_000_000_000n, "1h0m0s"],
    ["36h", 129_600_000_000_000n, "36h0m0s"],
    ["1h0m0.000000001s", 3_600_000_000_001n, "1h0m0.000000001s"],
    [".5s", 500_000_000n, "500ms"],
    ["1.s", 1_000_000_000n, "1s"],
    ["3m0.5s", 180_500_000_000n, "3m0.5s"],
    ["1.005s", 1_005_000_000n, "1.005s"],
    ["1m1m", 120_000_000_000n, "2m0s"],
    ["0.0000000001h", 360n, "360ns"],
    ["0.3333333333333333333h", 1_200_000_000_000n, "20m0s"],
    ["0.9999999999ns", 0n, "0s"],
    ["1.0000000001s", 1_000_000_000n, "1s"],
  ])("parses %s as %d ns and formats that as %s", (text, nanoseconds, written) => {
    expect(parseDurationNanoseconds(text)).toBe(nanoseconds);
    expect(parseDuration(text)).toBe(Number(nanoseconds) / 1e6);
    expect(formatDuration(parseDuration(text))).toBe(written);
  });

  test("is exact for all 64 bits of nanoseconds", () => {
    const largest = 2n ** 63n - 1n;
    expect(parseDurationNanoseconds("2562047h47m16.854775807s")).toBe(largest);
    expect(parseDurationNanoseconds("9223372036854775807ns")).toBe(largest);
    expect(parseDurationNanoseconds("-2562047h47m16.854775808s")).toBe(-largest - 1n);
    expect(parseDurationNanoseconds("-9223372036854775808ns")).toBe(-largest - 1n);
  });

  test.each([
    ["", 'time: invalid duration ""'],
    ["s", 'time: invalid duration "s"'],
    [".s", 'time: invalid duration ".s"'],
    ["-", 'time: invalid duration "-"'],
    ["--1s", 'time: invalid duration "--1s"'],
    ["2562047h47m16.854775808s", 'time: invalid duration "2562047h47m16.854775808s"'],
    ["9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'],
    ["1", 'time: missing unit in duration "1"'],
    ["1.2.3s", 'time: missing unit in duration "1.2.3s"'],
    ["1d", 'time: unknown unit "d" in duration "1d"'],
    ["1h 30m", 'time: unknown unit "h " in duration "1h 30m"'],
    ["1e3s", 'time: unknown unit "e" in duration "1e3s"'],
    ["1h-1m", 'time: unknown unit "h-" in duration "1h-1m"'],
    ["1constructor", 'time: unknown unit "constructor" in duration "1constructor"'],
  ])("rejects %j with Go's message", (text, message) => {
    expect(() => parseDuration(text)).toThrow(new DurationError(message));
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e13])("%d ms is rejected", (milliseconds) => {
    expect(() => formatDuration(milliseconds)).toThrow("is not a duration (expected less than 292 years)");
  });

  test("parses a formatted duration below 49 days to the same value", () => {
    const limit = 49 * 86_400e9;
    fc.assert(
      fc.property(fc.integer({ min: -limit, max: limit }), (nanoseconds) => {
        const milliseconds = parseDuration(formatDuration(nanoseconds / 1e6));
        expect(Math.round(milliseconds * 1e6)).toBe(nanoseconds);
      }),
      { numRuns: 10_000 },
    );
  });
});
