import fc from "fast-check";
import { expect, test } from "vitest";
import { formatIndexes, parseIndexes } from "./indexes.ts";

test("indexes are written as a Job's status has them", () => {
  expect(formatIndexes([])).toBe("");
  expect(formatIndexes([7, 0, 1, 3, 4, 5])).toBe("0,1,3-5,7");
  expect(parseIndexes("0,1,3-5,7", 6)).toEqual([0, 1, 3, 4, 5]);
  expect(parseIndexes("x,2-,1", 6)).toEqual([1]);
});

test("what was written can be read again", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(200)), (indexes) => {
      expect(parseIndexes(formatIndexes(indexes), 201)).toEqual(indexes.toSorted((a, b) => a - b));
    }),
  );
});
