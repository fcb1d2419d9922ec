import fc from "fast-check";
import { expect, test } from "vitest";
import { copyJson } from "./copy-json.ts";
import { isEqualJson } from "./merge-patch.ts";

test("copies JSON and other values deeply", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = copyJson(value);
      expect(copy).toEqual(value);
      expect(isEqualJson(copy, value)).toBe(true);
      if (typeof value === "object" && value !== null) expect(copy).not.toBe(value);
    }),
  );
  const value = { at: new Date(0), list: [{ a: 1 }], none: undefined };
  const copy = copyJson(value);
  expect(copy).toStrictEqual(value);
  expect(copy.at).not.toBe(value.at);
  expect(copy.list[0]).not.toBe(value.list[0]);
  expect(() => copyJson({ act() {} })).toThrow("could not be cloned");
});

test("copies a field named __proto__ as a field", () => {
  const copy = copyJson(JSON.parse('{"__proto__": {"a": 1}}'));
  expect(Object.keys(copy)).toEqual(["__proto__"]);
  expect(copy.a).toBeUndefined();
});

test("compares values as JSON, without undefined fields", () => {
  const equal = [
    [{ a: undefined }, {}],
    [{}, { a: undefined }],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: undefined }] }],
  ];
  const different = [
    [{ a: 1 }, {}],
    [{}, { a: null }],
    [{ toString: undefined }, { toString: 1 }],
    [{}, { toString: 1 }],
    [[], {}],
    [[1], [1, 2]],
    [JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 2}')],
    [JSON.parse('{"__proto__": 1}'), {}],
  ];
  for (const [a, b] of equal) expect(isEqualJson(a, b)).toBe(true);
  for (const [a, b] of different) expect([isEqualJson(a, b), isEqualJson(b, a)]).toEqual([false, false]);
});
