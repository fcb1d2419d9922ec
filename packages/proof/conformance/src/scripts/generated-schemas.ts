import * as fc from "fast-check";
import type { Json, JsonMap, Script } from "../script.ts";
import { bug, bugs, defined, merge, objectSchema, post } from "./make.ts";

// Unusual schemas of custom resources with CEL rules, and valid and invalid objects. They are the same in every run.

const seed = 36;
const objects = 7;

/** A type: its schemas, its possible rules, and values, some of which are valid. */
interface Kind {
  readonly schema: fc.Arbitrary<JsonMap>;
  readonly rules: readonly string[];
  readonly value: fc.Arbitrary<Json>;
}

const word = fc.constantFrom(
  "a",
  "b",
  "abc",
  "B-1",
  "",
  "2020-01-01T00:00:00Z",
  "10m",
  "1Gi",
  "é",
  "longer than ten",
);
const whole = fc.constantFrom(-1, 0, 1, 2, 3, 7, 10, 2 ** 31);
/** Sometimes a value of another type. */
const stray = fc.constantFrom<Json>(null, "x", 1, 1.5, true, [], {}, [1], { a: 1 });

function mostly(value: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.oneof({ arbitrary: value, weight: 9 }, { arbitrary: stray, weight: 1 });
}

/** A schema with the required members and some of the optional ones. */
function schemaOf(always: JsonMap, members: Record<string, fc.Arbitrary<Json>> = {}): fc.Arbitrary<JsonMap> {
  return fc
    .record(members, { requiredKeys: [] })
    .map((some): JsonMap => ({ ...always, ...(some as JsonMap) }));
}

const few = fc.integer({ min: 0, max: 3 });
const text: Kind = {
  schema: schemaOf(
    { type: "string", maxLength: 10 },
    {
      minLength: few,
      pattern: fc.constantFrom("^[a-z]*$", "^.{1,5}$", "[0-9]"),
      enum: fc.constant(["a", "abc", "10m"]),
      default: fc.constantFrom("a", "abc"),
      nullable: fc.constant(true),
    },
  ),
  rules: ["self.startsWith('a')", "self.size() < 4", "self.matches('^[a-z]+$')", "self in ['a', 'b', 'abc']"],
  value: mostly(word),
};
const formatted: Kind = {
  schema: schemaOf(
    { type: "string", maxLength: 30 },
    { format: fc.constantFrom("date-time", "duration", "byte") },
  ),
  rules: [],
  value: mostly(word),
};
const integer: Kind = {
  schema: schemaOf(
    { type: "integer" },
    {
      minimum: few,
      maximum: fc.integer({ min: 3, max: 10 }),
      multipleOf: fc.constantFrom(1, 2),
      format: fc.constantFrom("int32", "int64"),
      default: fc.constantFrom(3, 4),
    },
  ),
  rules: ["self < 5", "self % 2 == 0", "10 / self > 1"],
  value: mostly(whole),
};
const number: Kind = {
  schema: schemaOf(
    { type: "number" },
    {
      minimum: few,
      maximum: fc.constantFrom(3.5, 10),
      exclusiveMinimum: fc.boolean(),
      exclusiveMaximum: fc.boolean(),
    },
  ),
  rules: ["self < 2.5", "self * 2.0 > 1.0"],
  value: mostly(fc.oneof(whole, fc.constantFrom(0.5, 2.5, 3.5))),
};
const flag: Kind = {
  schema: schemaOf({ type: "boolean" }),
  rules: ["self", "!self"],
  value: mostly(fc.boolean()),
};
const either: Kind = {
  schema: schemaOf({ "x-kubernetes-int-or-string": true }),
  rules: ["type(self) == int ? self < 5 : self == 'a'", "self == 'a' || self == 1"],
  value: mostly(fc.oneof(whole, word)),
};
const free: Kind = {
  schema: schemaOf({ type: "object", "x-kubernetes-preserve-unknown-fields": true }),
  rules: ["size(self) < 2"],
  value: mostly(fc.constantFrom<Json>({}, { a: 1 }, { a: { b: [null, 1.5] }, c: "d" })),
};

const scalars = [text, integer, number, flag] as const;
const leaves = [text, formatted, integer, number, flag, either, free] as const;

function listOf({ schema, value, rules }: Kind): Kind {
  const list = schema.chain((items) =>
    schemaOf(
      { type: "array", maxItems: 4, items },
      { minItems: few, "x-kubernetes-list-type": fc.constant("set") },
    ),
  );
  // The items of a set are compared as a whole: they cannot be null.
  const fitting = list.map((made): JsonMap => {
    const items = { ...(made.items as JsonMap) };
    if (made["x-kubernetes-list-type"] === "set") items.nullable = undefined as unknown as Json;
    return { ...made, items };
  });
  const inner = rules[0]?.replaceAll("self", "e");
  const each = inner === undefined ? [] : [`self.all(e, ${inner})`, `self.exists(e, ${inner})`];
  return {
    schema: fitting,
    rules: [...each, "self.size() < 3"],
    value: mostly(fc.array(value, { maxLength: 5 })),
  };
}

function mapOf({ schema, value }: Kind): Kind {
  return {
    schema: schema.map(
      (additionalProperties): JsonMap => ({ type: "object", maxProperties: 3, additionalProperties }),
    ),
    rules: ["self.all(k, k.size() < 3)", "!('a' in self)"],
    value: mostly(fc.dictionary(fc.constantFrom("a", "b", "key"), value, { maxKeys: 4 })),
  };
}

const table: Kind = {
  schema: fc.constant<JsonMap>({
    type: "array",
    maxItems: 4,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    items: {
      type: "object",
      required: ["k"],
      properties: { k: { type: "string", maxLength: 10 }, v: { type: "integer", default: 1 } },
    },
  }),
  rules: ["self.all(e, e.v < 3)", "self.map(e, e.k).size() == self.size()", "self == self"],
  value: mostly(
    fc.array(fc.record({ k: word, v: whole }, { requiredKeys: ["k"] }) as fc.Arbitrary<JsonMap>, {
      maxLength: 3,
    }),
  ),
};

interface Field {
  readonly name: string;
  readonly schema: JsonMap;
  readonly value: fc.Arbitrary<Json>;
}

function fieldOf(name: string): fc.Arbitrary<Field> {
  const kinds: Kind[] = [...leaves, table, ...scalars.map(listOf), ...scalars.map(mapOf)];
  return fc.constantFrom(...kinds).chain(({ schema, rules, value }) =>
    fc
      .tuple(schema, fc.subarray([...rules], { maxLength: Math.min(1, rules.length) }), fc.boolean())
      .map(([made, [rule], grows]): Field => {
        const list = [
          ...(rule === undefined ? [] : [{ rule }]),
          // An immutable value.
          ...(grows && rules.length > 0
            ? [{ rule: "self == oldSelf", message: `${name} may not change` }]
            : []),
        ];
        return {
          name,
          schema: list.length === 0 ? made : { ...made, "x-kubernetes-validations": list },
          value,
        };
      }),
  );
}

/** Drops a default that its own schema rejects: another script covers rejected CRDs. */
function withoutBadDefault(schema: JsonMap): JsonMap {
  const { default: _none, ...rest } = schema;
  return rest;
}

interface Case {
  readonly schema: JsonMap;
  readonly values: readonly JsonMap[];
}

const names = ["a", "b-c", "namespace", "d"];

function caseOf(withDefaults: boolean): fc.Arbitrary<Case> {
  const fields = fc.tuple(...names.map(fieldOf));
  return fc.tuple(fields, fc.subarray(names, { maxLength: 2 })).chain(([made, required]) => {
    const shown = (schema: JsonMap) => (withDefaults ? schema : withoutBadDefault(schema));
    const properties = Object.fromEntries(made.map(({ name, schema }) => [name, shown(schema)]));
    const schema: JsonMap = { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
    const members = Object.fromEntries(made.map(({ name, value }) => [name, value]));
    const value = fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<JsonMap>;
    return fc
      .array(value, { minLength: objects, maxLength: objects })
      .map((values): Case => ({ schema, values }));
  });
}

/** @param runs the number of CRDs, each with objects that are created and changed into the next one */
export function schemaScripts(runs: number, from = seed): Script[] {
  return fc.sample(caseOf(false), { seed: from, numRuns: runs }).map(
    ({ schema, values }, index): Script => ({
      name: `a custom resource with a schema of its own, ${index + 1}`,
      area: "generated",
      steps: [
        ...defined(objectSchema(schema)),
        ...values.flatMap((spec, at) => [post(bugs, bug(`n${at}`, { spec }))]),
        ...values.slice(1).map((spec, at) => merge(`${bugs}/n${at}`, { spec })),
      ],
    }),
  );
}

/** The scripts of the proof. */
export const generatedSchemas: readonly Script[] = schemaScripts(16);
