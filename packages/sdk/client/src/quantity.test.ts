import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { approximate, compareQuantities, formatQuantity, parseQuantity, QuantityError } from "./quantity.ts";

const canonical = (text: string) => formatQuantity(parseQuantity(text));

describe("quantities", () => {
  // What a real server answers for these (resource.Quantity's own canonical form).
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
  ])("%s is %s", (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  test.each(["", "abc", "1x", "1 Gi", "--1", "1Gib", ".", "1e", "0x1"])("%j is none", (text) => {
    expect(() => parseQuantity(text)).toThrow(QuantityError);
  });

  test("a number is the quantity that its text is", () => {
    expect([2, 0.5, -3].map((number) => formatQuantity(parseQuantity(number)))).toEqual([
      ...["2", "500m", "-3"],
    ]);
  });

  test.each([
    ["250m", 0.25],
    ["1.5Gi", 1.5 * 2 ** 30],
    ["-2e3", -2000],
    ["1E", 1e18],
    ["1n", 1e-9],
  ])("%s is about %d", (text, number) => {
    expect(approximate(parseQuantity(text))).toBe(number);
  });

  test("more than 400 digits are none", () => {
    expect(canonical("1".repeat(400))).toBe("1".repeat(400));
    for (const text of ["1".repeat(401), `0.${"1".repeat(400)}`, `${"1".repeat(1_000_000)}Gi`])
      expect(() => parseQuantity(text)).toThrow("unable to parse quantity's suffix");
  });

  test("the canonical text means the same, and is its own canonical text", () => {
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
