import fc from "fast-check";
import { expect, it } from "vitest";
import { median, quantile } from "./sample.ts";

it("the median has as many values below as above it", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
      const middle = median(values);
      const below = values.filter((value) => value < middle).length;
      const above = values.filter((value) => value > middle).length;
      expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 2);
    }),
  );
});

it("has no median of an empty list", () => {
  expect(() => median([])).toThrow(RangeError);
});

it("a quantile has its share of the values below it", () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([quantile(values, 0), quantile(values, 0.5), quantile(values, 0.99)]).toEqual([1, 51, 100]);
  expect(() => quantile([], 0.5)).toThrow(RangeError);
});
