import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { specValues, valuesDigest } from "./values.ts";

const nginx = (spec?: unknown) => ({
  apiVersion: "example.com/v1",
  kind: "Nginx",
  metadata: { name: "a" },
  spec,
});

it("returns a copy of the spec", () => {
  const resource = nginx({ image: { tag: "1.27" } });
  const values = specValues(resource);
  expect(values).toEqual({ image: { tag: "1.27" } });
  (values.image as { tag: string }).tag = "changed";
  expect(resource.spec).toEqual({ image: { tag: "1.27" } });
});

it("returns no values for an object without a spec", () => {
  expect(specValues({ apiVersion: "example.com/v1", kind: "Nginx" })).toEqual({});
  expect(specValues(nginx(null))).toEqual({});
});

it("names the object whose spec is not a table", () => {
  expect(() => specValues(nginx(["a"]))).toThrow('Nginx a: spec is ["a"], but values must be a table');
  expect(() => specValues(nginx("text"))).toThrow("Nginx a");
});

/** Returns the same keys and values, with the keys of each table in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, member]) => [key, reversed(member)]));
}

const tables = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;

it("does not depend on the order of keys", () => {
  fc.assert(
    fc.property(tables, (values) => {
      expect(valuesDigest(reversed(values) as JsonObject)).toBe(valuesDigest(values));
    }),
  );
});

it("differs for other values", () => {
  fc.assert(
    fc.property(tables, tables, (a, b) => {
      const same = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
      expect(valuesDigest(a) === valuesDigest(b)).toBe(same);
    }),
  );
  const pairs: [JsonObject, JsonObject][] = [
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: "1" }, { a: 1 }],
    [{ a: null }, {}],
    [{ a: { b: 1 } }, { "a.b": 1 }],
    [{ a: [1, 2] }, { a: ["1,2"] }],
    [JSON.parse('{"__proto__":{"a":1}}'), {}],
  ];
  for (const [a, b] of pairs) expect(valuesDigest(a)).not.toBe(valuesDigest(b));
});

it("treats an undefined member as missing", () => {
  expect(valuesDigest({ a: undefined, b: 1 })).toBe(valuesDigest({ b: 1 }));
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, sorted((value as JsonObject)[key])]);
}
