import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue, own, put } from "../json.ts";
import { coalesceValues } from "./coalesce-values.ts";

// Few keys, so that defaults and values meet. Some are names that objects inherit.
const key = fc.constantFrom("a", "b", "c", "__proto__", "constructor");
const { table } = fc.letrec<{ table: JsonObject; value: JsonValue }>((tie) => ({
  table: fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map((members) => {
    const object: JsonObject = {};
    for (const [name, value] of members) put(object, name, value);
    return object;
  }),
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.integer({ min: 0, max: 9 }),
    fc.constantFrom("x", "y", ""),
    fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 2 }),
    tie("table"),
  ),
}));

function withoutNulls(object: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    if (value === null || value === undefined) continue;
    put(result, name, isJsonObject(value) ? withoutNulls(value) : value);
  }
  return result;
}

/** Returns each path to a value that is not a table, with the value. */
function leaves(object: JsonObject, path: readonly string[] = []): [readonly string[], JsonValue][] {
  return Object.entries(object).flatMap(([name, value]): [readonly string[], JsonValue][] => {
    if (value === undefined) return [];
    return isJsonObject(value) ? leaves(value, [...path, name]) : [[[...path, name], value]];
  });
}

function at(object: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, name) => (isJsonObject(value) ? own(value, name) : undefined),
    object,
  );
}

describe("coalesceValues", () => {
  it("never lets a default override a value", () => {
    fc.assert(
      fc.property(table, table, (defaults, values) => {
        const result = coalesceValues(defaults, values);
        for (const [path, value] of leaves(values)) {
          if (value !== null) expect(at(result, path)).toEqual(value);
          else expect(at(result, path) ?? null).toBeNull();
        }
      }),
    );
  });

  it("holds nothing that neither side has", () => {
    fc.assert(
      fc.property(table, table, (defaults, values) => {
        for (const [path, value] of leaves(coalesceValues(defaults, values))) {
          const candidates = [at(values, path), at(defaults, path)].map((candidate) =>
            JSON.stringify(candidate),
          );
          expect(candidates).toContain(JSON.stringify(value));
        }
      }),
    );
  });

  it("is idempotent for values without null", () => {
    fc.assert(
      fc.property(table, table, (defaults, all) => {
        const once = coalesceValues(defaults, withoutNulls(all));
        expect(coalesceValues(defaults, once)).toEqual(once);
      }),
    );
  });

  it("is not idempotent for a null: the default that it deleted comes back", () => {
    const once = coalesceValues({ a: 1, b: 2 }, { a: null });
    expect(once).toEqual({ b: 2 });
    expect(coalesceValues({ a: 1, b: 2 }, once)).toEqual({ a: 1, b: 2 });
  });

  it("changes neither side, and shares nothing with them", () => {
    fc.assert(
      fc.property(table, table, (defaults, values) => {
        const before = JSON.stringify([defaults, values]);
        deeplyChange(coalesceValues(defaults, values));
        expect(JSON.stringify([defaults, values])).toBe(before);
      }),
    );
  });

  it("treats __proto__ as a key like any other", () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}');
    for (const result of [
      coalesceValues({ a: { b: 1 } }, hostile),
      coalesceValues(hostile, { a: { b: 1 } }),
    ]) {
      expect(JSON.parse(JSON.stringify(result))).toEqual(
        JSON.parse('{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true},"b":1}}'),
      );
      expect((result as { polluted?: unknown }).polluted).toBeUndefined();
      expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

function deeplyChange(value: JsonValue | undefined): void {
  if (Array.isArray(value)) value.push("changed");
  if (!isJsonObject(value)) return;
  for (const member of Object.values(value)) deeplyChange(member);
  put(value, "changed", true);
}
