import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultCustomResource } from "../../apimachinery/schema/default.ts";
import { prune } from "../../apimachinery/schema/prune.ts";
import type { Schema } from "../../apimachinery/schema/schema.ts";
import type { JsonObject, JsonValue } from "../../lib/json/json.ts";
import { validateValue } from "./validate-value.ts";

const schema: Schema = {
  type: "object",
  properties: {
    a: { type: "string", default: "x" },
    list: { type: "array", items: { type: "object", properties: { a: { type: "integer", default: 1 } } } },
    map: { type: "object", additionalProperties: { type: "string" } },
    any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    inner: { type: "object", default: {}, properties: { a: { type: "string", default: "y" } } },
  },
};
const key = fc.constantFrom("a", "list", "map", "any", "inner", "z", "__proto__", "constructor");
const { object: anything } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonValue>(null, 1, "x"),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));

describe("prune", () => {
  test("finds nothing the second time, and has removed the fields that it returned", () => {
    fc.assert(
      fc.property(anything, (object) => {
        const paths = prune(object, schema);
        expect(prune(object, schema)).toEqual([]);
        for (const path of paths.filter((name) => !/[.[]/.test(name))) {
          expect(Object.hasOwn(object, path)).toBe(false);
        }
      }),
    );
  });
});

describe("defaultCustomResource", () => {
  test("changes nothing the second time, and keeps existing values", () => {
    fc.assert(
      fc.property(anything, (object) => {
        const before = structuredClone(object);
        defaultCustomResource(object, schema);
        const once = structuredClone(object);
        defaultCustomResource(object, schema);
        expect(object).toEqual(once);
        if (typeof before.a === "string") expect(object.a).toBe(before.a);
        else if (before.a === undefined || before.a === null) expect(object.a).toBe("x");
      }),
    );
  });

  test("does not share a default between objects", () => {
    const [first, second]: JsonObject[] = [{}, {}];
    for (const object of [first, second]) defaultCustomResource(object as JsonObject, schema);
    (first?.inner as JsonObject).a = "changed";
    expect(second?.inner).toEqual({ a: "y" });
  });
});

describe("validateValue", () => {
  const small: Schema = {
    type: "object",
    properties: {
      n: { type: "integer", maximum: 5 },
      list: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string" }, v: { type: "integer", maximum: 5 } } },
      },
    },
  };

  test("accepts invalid values that have not changed (ratcheting)", () => {
    const old = {
      n: 9,
      list: [
        { k: "a", v: 9 },
        { k: "b", v: 1 },
      ],
    };
    expect(validateValue({ ...old, other: 1 }, small, "", old)).toEqual([]);
    const changed = {
      n: 8,
      list: [
        { k: "b", v: 7 },
        { k: "a", v: 9 },
      ],
    };
    expect(validateValue(changed, small, "", old).map(({ field }) => field)).toEqual(["n", "list[0].v"]);
  });

  test("reads patterns like Go where the two differ", () => {
    const pattern = (text: string): Schema => ({ type: "string", pattern: text });
    expect(validateValue("ABC", pattern("(?i)^abc$"), "s")).toEqual([]);
    expect(validateValue("abc", pattern("\\Aabc\\z"), "s")).toEqual([]);
    expect(validateValue("a-b", pattern("^[a\\-b]+$"), "s")).toEqual([]);
  });
});
