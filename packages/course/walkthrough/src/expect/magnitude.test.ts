import { expect, test } from "vitest";
import { matchOutput } from "./match.ts";
import { learnerSamples, noSamples } from "./samples.ts";

const passes = (expected: string, actual: string): boolean =>
  matchOutput(expected.split("\n"), actual.split("\n"), { samples: noSamples }) !== undefined;
const isFine = (expected: string, actual: string): boolean =>
  matchOutput(expected.split("\n"), actual.split("\n"), { samples: learnerSamples }) !== undefined;
const table = (age: string): string => `NAME    READY   AGE\nstore   1/1     ${age}`;

test.each([
  ["2s", "0s"],
  ["0s", "45s"],
  ["2s", "3m50s"],
  ["30s", "4m"],
  ["60s", "3s"],
  ["60s", "8m"],
  ["45m", "2h"],
  ["0y", "0y"],
  ["45m", "5m"],
  ["12ms", "80ms"],
  ["12ms", "640µs"],
  ["1.2s", "15s"],
  ["1.2s", "90ms"],
  ["1s", "1s (x3 over 20s)"],
  ["1s (x2 over 5s)", "1s"],
  ["1s (x2 over 5s)", "4s (x5 over 30s)"],
])("an AGE of %s matches %s", (sample, value) => {
  expect(passes(table(sample), table(value))).toBe(true);
  expect(passes(`added after ${sample}`, `added after ${value}`)).toBe(true);
});

test.each([
  ["20s", "7m32s", true],
  ["2m", "3d4h", true],
  ["1s (x2 over 5s)", "9h (x2 over 10h)", true],
  ["45m", "45s", false],
  ["12ms", "12s", false],
  ["1s", "1s (x400 over 20s)", false],
])("for a learner, an AGE of %s and %s match: %s", (sample, value, expected) => {
  expect(isFine(table(sample), table(value))).toBe(expected);
});

test.each([
  ["30s", "5m"],
  ["2s", "5m"],
  ["60s", "10m"],
  ["60s", "2s"],
  ["45m", "45s"],
  ["45m", "9h"],
  ["3d", "3h"],
  ["12ms", "12s"],
  ["12ms", "2s"],
  ["12s", "12ms"],
  ["0h", "0s"],
  ["1s", "1s (x400 over 20s)"],
  ["1s (x2 over 5s)", "1s (x90 over 5s)"],
  ["1s (x2 over 5s)", "1s (x2 over 20m)"],
])("an AGE of %s does not match %s", (sample, value) => {
  expect(passes(table(sample), table(value))).toBe(false);
  expect(passes(`added after ${sample}`, `added after ${value}`)).toBe(false);
});

test("matches image sizes of the same order of magnitude", () => {
  const pulled = (bytes: number): string => `Pulled image. Image size: ${bytes} bytes.`;
  expect(passes(pulled(4_000_000), pulled(2_222_000))).toBe(true);
  expect(passes(pulled(4_000_000), pulled(400_000_000))).toBe(false);
});
