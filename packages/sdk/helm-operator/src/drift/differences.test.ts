import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { type CompareOptions, differences } from "./differences.ts";
import { merged } from "./merged.ts";
import { anySchema, type ListRule, readSchemas, type Schema } from "./schema.ts";

const scalar: Schema = { type: "scalar" };
const struct = (fields: Record<string, Schema>, retainKeys = false): Schema => ({
  ...{ type: "struct", fields: new Map(Object.entries(fields)), retainKeys },
});
const list = (items: Schema, rule: ListRule = "atomic"): Schema => ({ type: "list", items, rule });
const byName: ListRule = { keys: ["name"], defaults: new Map() };

const schema = struct({
  amount: { type: "quantity" },
  bytes: { type: "bytes" },
  at: { type: "time" },
  text: scalar,
  labels: { type: "map", values: scalar },
  set: list(scalar, "set"),
  args: list(scalar),
  items: list(struct({ name: scalar, text: scalar, args: list(scalar) }), byName),
  source: struct({ one: struct({}), two: struct({}) }, true),
});
const builtIn: CompareOptions = { schema, isBuiltIn: true };

const pathsOf = (wanted: object, live: object, previous?: object, options: CompareOptions = builtIn) =>
  differences(wanted, live, previous, options).map(({ path }) => path);

describe("equal values in different notations", () => {
  test.for<[JsonObject, JsonObject]>([
    [{ amount: "1" }, { amount: "1000m" }],
    [{ amount: 0.5 }, { amount: "500m" }],
    [{ amount: 2 }, { amount: "2" }],
    [{ amount: "1Gi" }, { amount: "1024Mi" }],
    [{ bytes: "YW\nJj\n" }, { bytes: "YWJj" }],
    [{ at: "2026-01-01T01:00:00+01:00" }, { at: "2026-01-01T00:00:00Z" }],
    [{ at: "2026-01-01T00:00:00.5Z" }, { at: "2026-01-01T00:00:00.500000Z" }],
    [{ set: ["a", "b"] }, { set: ["b", "c", "a"] }],
    [{ text: "" }, {}],
    [{ labels: {}, set: [], args: [] }, {}],
    [{ text: null, labels: null }, { text: "a" }],
    [{ items: [{ name: "b" }, { name: "a" }] }, { items: [{ name: "a", text: "x" }, { name: "b" }] }],
  ])("%j equals %j", ([wanted, live]) => {
    expect(pathsOf(wanted, live)).toEqual([]);
  });
});

describe("the paths of differences", () => {
  test.for<readonly [JsonObject, JsonObject, string[]]>([
    [{ amount: "1" }, { amount: "1001m" }, ["amount"]],
    [{ amount: "much" }, { amount: "1" }, ["amount"]],
    [{ at: "then" }, { at: "now" }, ["at"]],
    [{ at: "2026-01-01T00:00:00.5Z" }, { at: "2026-01-01T00:00:00.6Z" }, ["at"]],
    [{ text: "1" }, { text: 1 }, ["text"]],
    [{ text: false }, {}, ["text"]],
    [{ labels: { "a/b": "", c: "" } }, { labels: {} }, ['labels["a/b"]', "labels.c"]],
    [{ set: ["a", "b"] }, { set: ["b"] }, ['set["a"]']],
    [{ args: ["a", "b"] }, { args: ["b", "a"] }, ["args"]],
    [{ items: [{ name: "a", text: "x" }] }, { items: [{ name: "a" }] }, ['items[name="a"].text']],
    [{ items: [{ name: "a" }] }, { items: [] }, ['items[name="a"]']],
    [{ source: { one: {} } }, { source: { two: {} } }, ["source.one"]],
    [{ text: "x" }, { text: null }, ["text"]],
  ])("between %j and %j: %j", ([wanted, live, paths]) => {
    expect(pathsOf(wanted, live)).toEqual(paths);
  });
});

test("distinguishes empty from missing in a custom resource", () => {
  const options = { schema, isBuiltIn: false };
  expect(pathsOf({ text: "", labels: {}, set: [] }, {}, undefined, options)).toEqual([
    "text",
    "labels",
    "set",
  ]);
});

test("reports what only the previous manifest had, and not what other writers have added", () => {
  const previous = {
    text: "x",
    labels: { a: "1" },
    set: ["a"],
    items: [{ name: "a" }, { name: "b", text: "x" }],
  };
  const wanted = { labels: {}, set: [], items: [{ name: "b" }] };
  const live = {
    ...{ text: "y", labels: { a: "2", z: "1" }, set: ["a", "z"] },
    items: [{ name: "a" }, { name: "b", text: "y" }, { name: "z" }],
  };
  expect(pathsOf(wanted, live, previous).sort()).toEqual([
    'items[name="a"]',
    'items[name="b"].text',
    "labels.a",
    'set["a"]',
    "text",
  ]);
  expect(merged(wanted, live, previous, builtIn)).toEqual({
    labels: { z: "1" },
    set: ["z"],
    items: [{ name: "b" }, { name: "z" }],
  });
});

test("compares items as a whole when their keys are not unique", () => {
  const twice = {
    items: [
      { name: "a", text: "1" },
      { name: "a", text: "2" },
    ],
  };
  expect(pathsOf(twice, twice)).toEqual([]);
  expect(pathsOf(twice, { items: [{ name: "a", text: "1" }] })).toEqual(["items"]);
  expect(pathsOf({ items: ["a"] }, { items: ["a", "b"] })).toEqual(["items"]);
});

const names = fc.constantFrom("a", "b", "__proto__", "constructor", "a/b");
const text = fc.constantFrom("", "x", "y", "1", "1000m", null, 1, false);
const object: fc.Arbitrary<JsonObject> = fc.record(
  {
    amount: fc.constantFrom("1", "1000m", 1, "2"),
    text,
    labels: fc.dictionary(names, fc.constantFrom("", "x", "y")),
    set: fc.uniqueArray(fc.constantFrom("a", "b", "c")),
    args: fc.array(fc.constantFrom("a", "b"), { maxLength: 3 }),
    items: fc.array(
      fc.record(
        {
          name: fc.constantFrom("a", "b", "c"),
          text,
          args: fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }),
        },
        { requiredKeys: ["name"] },
      ),
      { maxLength: 3 },
    ),
    source: fc.constantFrom({ one: {} }, { two: {} }, { one: {}, three: "x" }),
    other: fc.dictionary(names, fc.oneof(text, fc.array(text, { maxLength: 2 }))),
  },
  { requiredKeys: [] },
);

test("a merge leaves no difference, changes nothing when repeated, and keeps all other fields", () => {
  const options = fc.record({ schema: fc.constantFrom(schema, anySchema), isBuiltIn: fc.boolean() });
  fc.assert(
    fc.property(
      object,
      object,
      fc.option(object, { nil: undefined }),
      options,
      (wanted, live, previous, options) => {
        const result = merged(wanted, live, previous, options);
        expect(pathsOf(wanted, result, previous, options)).toEqual([]);
        expect(merged(wanted, result, previous, options)).toEqual(result);
        for (const [name, value] of Object.entries(live)) {
          if (Object.hasOwn(wanted, name) || Object.hasOwn(previous ?? {}, name)) continue;
          expect(result[name]).toEqual(value);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test("reads a document that lacks parts or refers to itself", () => {
  const group = { group: "example.com", version: "v1" };
  expect(readSchemas({}, group).size).toBe(0);
  const tree = {
    "x-kubernetes-group-version-kind": [{ ...group, kind: "Tree" }],
    properties: {
      child: { $ref: "#/components/schemas/Tree" },
      gone: { $ref: "#/components/schemas/Gone" },
      odd: { type: "array", "x-kubernetes-list-type": "map" },
    },
  };
  const kinds = readSchemas({ components: { schemas: { Tree: tree } } }, group);
  const options = { schema: kinds.get("Tree") ?? anySchema, isBuiltIn: false };
  expect(pathsOf({ child: { child: { gone: 1 } } }, { child: { child: {} } }, undefined, options)).toEqual([
    "child.child.gone",
  ]);
  expect(pathsOf({ odd: [1] }, { odd: [1, 2] }, undefined, options)).toEqual(["odd"]);
});
