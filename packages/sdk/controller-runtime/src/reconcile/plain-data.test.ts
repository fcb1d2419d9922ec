import fc from "fast-check";
import { expect, test } from "vitest";
import { parseData, textOfData } from "./plain-data.ts";

test("round-trips data, with the same text for any order of fields", () => {
  const data = fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" });
  fc.assert(
    fc.property(data, (value) => {
      const text = textOfData(value);
      expect(textOfData(parseData(text))).toBe(text);
      expect(parseData(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(textOfData(reversed(value))).toBe(text);
    }),
  );
});

test("different data has different text", () => {
  const texts = [1, "1", null, [], {}, [1, 2], [2, 1], [[1], 2], { a: 1 }, { a: "1" }, { a: { b: 1 } }, ""];
  expect(new Set(texts.map(textOfData)).size).toBe(texts.length);
  expect(textOfData({ a: 1, b: undefined })).toBe(textOfData({ a: 1 }));
});

test.each([
  [undefined, "the request is undefined"],
  [{ at: new Date(0) }, "the request.at is a Date"],
  [{ sizes: [1, Number.NaN] }, "the request.sizes[1] is NaN"],
  [{ go: () => {} }, "the request.go is a function"],
  [{ big: 1n }, "the request.big is a bigint"],
  [new Map(), "the request is a Map"],
])("rejects %s: %s", (value, message) => {
  expect(() => textOfData(value)).toThrow(
    `${message}: use plain JSON data (strings, finite numbers, booleans, null, arrays, objects)`,
  );
});

test("freezes parsed data", () => {
  const data = parseData('{"a":{"b":[{"c":1}]}}') as { a: { b: { c: number }[] } };
  expect([data, data.a, data.a.b, data.a.b[0]].every(Object.isFrozen)).toBe(true);
});

test("rejects cyclic data", () => {
  const loop: Record<string, unknown> = {};
  loop.loop = loop;
  expect(() => textOfData(loop)).toThrow("nested too deep");
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, field]) => [name, reversed(field)]));
}
