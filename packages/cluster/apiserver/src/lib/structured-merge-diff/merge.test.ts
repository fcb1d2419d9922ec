import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { objectType } from "../../apimachinery/managed-fields/object-type.ts";
import type { Schema } from "../../apimachinery/schema/schema.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import { compareValues } from "./compare.ts";
import { emptySet, union } from "./field-set.ts";
import { type Managers, managerIdentifier } from "./managers.ts";
import { mergeValues } from "./merge.ts";
import { toFieldSet } from "./to-field-set.ts";
import type { TypedObject } from "./typed-value.ts";
import { applyConfiguration } from "./updater.ts";
import { validateTyped } from "./validate-typed.ts";

const text: Schema = { type: "string" };
const type = objectType({
  type: "object",
  properties: {
    items: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "object", properties: { k: { ...text, default: "a" }, v: text } },
    },
    tags: { type: "array", "x-kubernetes-list-type": "set", items: text },
    list: { type: "array", items: text },
    map: { type: "object", additionalProperties: text },
    one: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: text },
  },
});

const merged = (live: JsonValue, applied: JsonValue) => mergeValues(live, applied, type);

describe("merging", () => {
  test.each<[string, JsonValue[], JsonValue[], JsonValue[]]>([
    ["the applied order counts", ["a", "b"], ["b", "a"], ["b", "a"]],
    ["keeps the place of an unapplied item", ["a", "b", "c"], ["c", "b"], ["a", "c", "b"]],
    ["puts a new item where it is applied", ["a", "c"], ["a", "b", "c"], ["a", "b", "c"]],
    ["nothing in common", ["a"], ["b"], ["a", "b"]],
    [
      "others between the applied",
      ["x", "a", "y", "b", "z"],
      ["a", "n", "b"],
      ["x", "a", "y", "n", "b", "z"],
    ],
  ])("sets: %s", (_name, live, applied, expected) => {
    expect(merged({ tags: live }, { tags: applied })).toEqual({ tags: expected });
    const keyed = (list: JsonValue[]) => list.map((k) => ({ k }));
    expect(merged({ items: keyed(live) }, { items: keyed(applied) })).toEqual({ items: keyed(expected) });
  });

  test("merges items by their keys, and uses the default of a missing key", () => {
    expect(merged({ items: [{ k: "a", v: "1" }, { k: "b" }] }, { items: [{ v: "2" }] })).toEqual({
      items: [{ k: "a", v: "2" }, { k: "b" }],
    });
  });

  test("replaces atomic lists and maps, and merges granular maps", () => {
    const live = { list: ["a"], map: { x: "1" }, one: { x: "1" } };
    const applied = { list: ["b"], map: { y: "2" }, one: { y: "2" } };
    expect(merged(live, applied)).toEqual({ list: ["b"], map: { x: "1", y: "2" }, one: { y: "2" } });
  });

  test("rejects a duplicate item", () => {
    expect(() => validateTyped({ tags: ["a", "a"] }, type)).toThrow(
      '.tags: duplicate entries for key [="a"]',
    );
    expect(() => validateTyped({ items: [{ v: "1" }, { k: "a" }] }, type)).toThrow(
      '.items: duplicate entries for key [k="a"]',
    );
  });
});

const word = fc.constantFrom("a", "b", "c");
// As in a real server, merging may turn empty lists and maps into null.
const dictionary = fc.dictionary(word, word, { minKeys: 1, maxKeys: 3 });
const configuration = fc.record(
  {
    items: fc.uniqueArray(fc.record({ k: word, v: word }), {
      selector: ({ k }) => k,
      minLength: 1,
      maxLength: 3,
    }),
    tags: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
    list: fc.array(word, { minLength: 1, maxLength: 3 }),
    map: dictionary,
    one: dictionary,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

const typed = (value: JsonObject): TypedObject => ({ value, type, apiVersion: "v1" });
const options = { convert: (object: TypedObject) => object, resetFields: emptySet };
const manager = (name: string) =>
  ({ manager: name, operation: "Apply", apiVersion: "v1", subresource: "" }) as const;

function apply(state: { value: JsonObject; managers: Managers }, name: string, applied: JsonObject) {
  return applyConfiguration(typed(state.value), typed(applied), state.managers, manager(name), true, options);
}

describe("applying", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom("one", "two"), configuration), { maxLength: 6 });
  const appliedSteps = steps.map((list) =>
    list.reduce((state, [name, applied]) => apply(state, name, applied), {
      value: {} as JsonObject,
      managers: new Map() as Managers,
    }),
  );

  test("contains the applied configuration, whatever the live object was", () => {
    fc.assert(
      fc.property(appliedSteps, configuration, (state, applied) => {
        const { value } = apply(state, "one", applied);
        expect(mergeValues(value, applied, type) ?? {}).toEqual(value);
      }),
    );
  });

  test("changes nothing the second time", () => {
    fc.assert(
      fc.property(appliedSteps, configuration, (state, applied) => {
        const once = apply(state, "one", applied);
        const twice = apply(once, "one", applied);
        expect(compareValues(once.value, twice.value, type)).toBeUndefined();
        expect([...twice.managers.keys()].sort()).toEqual([...once.managers.keys()].sort());
      }),
    );
  });

  test("leaves only unapplied fields without an owner", () => {
    fc.assert(
      fc.property(appliedSteps, ({ value, managers }) => {
        const owned = [...managers.values()].reduce((sum, entry) => union(sum, entry.set), emptySet);
        const stated = toFieldSet(value, type);
        expect(union(owned, stated)).toEqual(owned);
      }),
    );
  });

  test("removes the applier's own fields when it stops applying them", () => {
    fc.assert(
      fc.property(configuration, configuration, (ours, theirs) => {
        const begin = { value: {} as JsonObject, managers: new Map() as Managers };
        const alone = apply(begin, "two", theirs);
        const both = apply(apply(begin, "one", ours), "two", theirs);
        const left = apply(both, "one", {});
        expect(left.managers.has(managerIdentifier(manager("one")))).toBe(false);
        expect(toFieldSet(left.value, type)).toEqual(toFieldSet(alone.value, type));
      }),
    );
  });
});
