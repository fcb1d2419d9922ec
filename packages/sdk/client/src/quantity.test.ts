import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addQuantities,
  approximate,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  QuantityError,
  subtractQuantities,
} from "./quantity.ts";

const canonical = (text: string) => formatQuantity(parseQuantity(text));

describe("quantities", () => {
  // The canonical forms that a real server returns (resource.Quantity).
  test.each([
    ["0", "0"],
    ["0.5", "500m"],
    ["1000m", "1"],
    ["1500m", "1500m"],
    ["1024Mi", "1Gi"],
    ["1.5Gi", "1536Mi"],
    ["1000Ki", "1000Ki"],
    ["1e3", "1e3"],
    ["12e6", "12e6"],
    ["100k", "100k"],
    ["1000k", "1M"],
    ["-1", "-1"],
    ["+5", "5"],
    ["5.", "5"],
    [".5", "500m"],
    ["1n", "1n"],
    ["0.0000000001", "1n"],
    ["1e21", "1e21"],
    ["12e20", "1200e18"],
    ["1e400", "10e399"],
    ["5e-1", "500e-3"],
    ["1e4", "10e3"],
    ["0e5", "0"],
    ["0Ki", "0"],
    ["-0", "0"],
    ["0.1Ki", "102400m"],
    ["1.0001Ki", "1024102400u"],
    ["0.00000000049Ki", "502n"],
    ["-1.5Gi", "-1536Mi"],
    ["8Ei", "9223372036854775807"],
    ["1000Ei", "9223372036854775807"],
    ["-8Ei", "-9223372036854775807"],
    ["99999999999999999999", "99999999999999999999"],
  ])("formats %s as %s", (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  test.each(["", "abc", "1x", "1 Gi", "--1", "1Gib", ".", "1e", "0x1"])("rejects %j", (text) => {
    expect(() => parseQuantity(text)).toThrow(QuantityError);
  });

  // The results of Quantity.Add, Sub and Cmp of apimachinery 0.36.
  test.each([
    ["1Gi", "512Mi", "1536Mi", "512Mi", 1],
    ["1Gi", "500m", "1073741824500m", "1073741823500m", 1],
    ["500m", "1Gi", "1073741824500m", "-1073741823500m", -1],
    ["0", "1Gi", "1Gi", "-1Gi", -1],
    ["0", "1e3", "1e3", "-1e3", -1],
    ["1e3", "1k", "2e3", "0", 0],
    ["1k", "1e3", "2k", "0", 0],
    ["1500m", "500m", "2", "1", 1],
    ["1n", "1", "1000000001n", "-999999999n", -1],
    ["1E", "1n", "1000000000000000000000000001n", "999999999999999999999999999n", 1],
    ["-1", "2", "1", "-3", -1],
    ["1Ki", "1", "1025", "1023", 1],
    ["8Ei", "1", "8Ei", "9223372036854775806", 1],
    ["100m", "0.9", "1", "-800m", -1],
  ])("calculates with %s and %s: sum %s, difference %s, order %d", (a, b, sum, difference, order) => {
    const [left, right] = [parseQuantity(a), parseQuantity(b)];
    expect(formatQuantity(addQuantities(left, right))).toBe(sum);
    expect(formatQuantity(subtractQuantities(left, right))).toBe(difference);
    expect(compareQuantities(left, right)).toBe(order);
  });

  test("treats a number like its text", () => {
    expect([2, 0.5, -3, 1e21].map((number) => formatQuantity(parseQuantity(number)))).toEqual([
      ...["2", "500m", "-3", "1e21"],
    ]);
  });

  test.each([
    ["250m", 0.25],
    ["1.5Gi", 1.5 * 2 ** 30],
    ["-2e3", -2000],
    ["1E", 1e18],
    ["1n", 1e-9],
  ])("converts %s to about %d", (text, number) => {
    expect(approximate(parseQuantity(text))).toBe(number);
  });

  test("rejects more than 400 digits", () => {
    expect(canonical("1".repeat(400))).toBe("1".repeat(400));
    for (const text of ["1".repeat(401), `0.${"1".repeat(400)}`, `${"1".repeat(1_000_000)}Gi`])
      expect(() => parseQuantity(text)).toThrow("unable to parse quantity's suffix");
  });

  test("keeps the value in the canonical text, which is canonical itself", () => {
    const suffix = fc.constantFrom("", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "E-3");
    fc.assert(
      fc.property(fc.nat(), fc.nat(999), suffix, (whole, fraction, unit) => {
        const text = `${whole}.${fraction}${unit}`;
        const once = canonical(text);
        expect(canonical(once)).toBe(once);
        expect(compareQuantities(parseQuantity(once), parseQuantity(text))).toBe(0);
      }),
    );
  });
});
