import { expect, test } from "vitest";
import type { FieldError } from "../webhook/admission/field-error.ts";
import { createValidator } from "./create-validator.ts";
import type { ResourceSchema } from "./schema.ts";

function linesOf(errors: readonly FieldError[]): string {
  return errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
}

/** Returns the errors of a value at spec.value, as text. */
function errorsOf(schema: ResourceSchema, value: unknown): string {
  const validate = createValidator({
    type: "object",
    properties: { spec: { type: "object", properties: { value: schema } } },
  });
  return linesOf(validate({ spec: { value } }));
}

const integer: ResourceSchema = { type: "integer" };
const names: ResourceSchema = { type: "array", items: { type: "string" } };

test.each<[string, ResourceSchema, unknown, string]>([
  ["a whole number is a number", { type: "number" }, 3, ""],
  [
    "a fraction instead of an integer",
    integer,
    1.5,
    'Invalid value: "number": spec.value in body must be of type integer: "number"',
  ],
  ["null counts as missing", integer, null, ""],
  ["null for a nullable field", { ...integer, nullable: true }, null, ""],
  [
    "a fraction for an int32",
    { ...integer, format: "int32" },
    0.5,
    'Invalid value: "float64": spec.value in body must be of type int32: "float64"',
  ],
  [
    "more than 32 bits",
    { ...integer, format: "int32" },
    -(2 ** 31) - 1,
    "Invalid value: -2147483649: spec.value in body must be of type integer with format int32",
  ],
  ["inclusive bounds", { ...integer, minimum: 1, maximum: 1 }, 1, ""],
  [
    "an exclusive lower bound",
    { ...integer, minimum: 1, exclusiveMinimum: true },
    1,
    "Invalid value: 1: spec.value in body should be greater than 1",
  ],
  [
    "an exclusive upper bound",
    { ...integer, maximum: 1, exclusiveMaximum: true },
    1,
    "Invalid value: 1: spec.value in body should be less than 1",
  ],
  ["a multiple of a fraction", { type: "number", multipleOf: 0.1 }, 0.7, ""],
  [
    "no multiple",
    { ...integer, multipleOf: 5 },
    7,
    "Invalid value: 7: spec.value in body should be a multiple of 5",
  ],
  ["length in characters, not in UTF-16 units", { type: "string", maxLength: 1 }, "🎉", ""],
  ["too long", { type: "string", maxLength: 1 }, "ab", "Too long: may not be more than 1 byte"],
  [
    "too short",
    { type: "string", minLength: 2 },
    "a",
    'Invalid value: "a": spec.value in body should be at least 2 chars long',
  ],
  [
    "a pattern",
    { type: "string", pattern: "^[a-z]+$" },
    "A",
    "Invalid value: \"A\": spec.value in body should match '^[a-z]+$'",
  ],
  ["a pattern that JavaScript cannot parse", { type: "string", pattern: "(?P<a>b)" }, "x", ""],
  [
    "a time",
    { type: "string", format: "date-time" },
    "2026-11-21",
    'Invalid value: "2026-11-21": spec.value in body must be of type date-time: "2026-11-21"',
  ],
  [
    "base64",
    { type: "string", format: "byte" },
    "a",
    'Invalid value: "a": spec.value in body must be of type byte: "a"',
  ],
  ["an enum", { enum: ["a", 1] }, "b", 'Unsupported value: "b": supported values: "a", "1"'],
  [
    "null beside an enum",
    { type: "string", nullable: true, enum: ["a"] },
    null,
    'Unsupported value: null: supported values: "a"',
  ],
  [
    "null in an enum",
    { type: "string", nullable: true, enum: ["a", null] },
    null,
    'Unsupported value: null: supported values: "a", "null"',
  ],
  [
    "a port by name",
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
    "http",
    "",
  ],
  [
    "a fractional port",
    { "x-kubernetes-int-or-string": true },
    80.5,
    'Invalid value: "number": spec.value in body must be of type integer,string: "number"',
  ],
  [
    "both of two patterns",
    { type: "string", allOf: [{ pattern: "a" }, { pattern: "b" }] },
    "a",
    "Invalid value: \"a\": spec.value in body should match 'b'",
  ],
  [
    "too few items",
    { ...names, minItems: 1 },
    [],
    "Invalid value: 0: spec.value in body should have at least 1 items",
  ],
  ["too many items", { ...names, maxItems: 1 }, ["a", "b"], "Too many: 2: must have at most 1 item"],
  [
    "too few keys",
    { type: "object", minProperties: 1, additionalProperties: integer },
    {},
    "Invalid value: 0: spec.value in body should have at least 1 properties",
  ],
  [
    "an object with unknown fields",
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    { a: { b: 1 } },
    "",
  ],
])("%s", (_name, schema, value, message) => {
  expect(errorsOf(schema, value)).toBe(message === "" ? "" : `spec.value: ${message}`);
});

test.each<[string, ResourceSchema, unknown, string]>([
  [
    "an item",
    names,
    ["a", 1],
    'spec.value[1]: Invalid value: "integer": spec.value[1] in body must be of type string: "integer"',
  ],
  [
    "a set",
    { ...names, "x-kubernetes-list-type": "set" },
    ["a", "b", "a"],
    'spec.value[2]: Duplicate value: "a"',
  ],
  [
    "a list of type map",
    { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n", "p"] },
    [
      { n: "a", p: 1 },
      { n: "a", p: 2 },
      { n: "a", p: 1 },
    ],
    'spec.value[2]: Duplicate value: {"n":"a","p":1}',
  ],
  [
    "a map",
    { type: "object", additionalProperties: integer },
    { a: 1, "b c": "x" },
    'spec.value.b c: Invalid value: "string": spec.value.b c in body must be of type integer: "string"',
  ],
  [
    "another resource",
    { type: "object", "x-kubernetes-embedded-resource": true },
    { kind: "A", b: 1 },
    "spec.value.b: Forbidden: unknown field",
  ],
  [
    "null for a required field",
    { type: "object", properties: { a: integer }, required: ["a"] },
    { a: null },
    "spec.value.a: Required value",
  ],
  [
    "a required field that is undefined",
    { type: "object", properties: { a: integer }, required: ["a"] },
    { a: undefined },
    "spec.value.a: Required value",
  ],
  [
    "a key from the object prototype",
    { type: "object", properties: {} },
    JSON.parse('{"__proto__":1,"toString":2}'),
    "spec.value.__proto__: Forbidden: unknown field; spec.value.toString: Forbidden: unknown field",
  ],
])("within: %s", (_name, schema, value, text) => {
  expect(errorsOf(schema, value)).toBe(text);
});

test("rejects a non-object, accepts metadata, and ignores unknown fields on request", () => {
  const validate = createValidator({ type: "object", properties: { metadata: { type: "object" } } });
  expect(linesOf(validate("a"))).toBe(
    '<nil>: Invalid value: "string":  in body must be of type object: "string"',
  );
  expect(validate({ metadata: { name: "a", labels: { b: "c" } } })).toEqual([]);
  expect(validate({ extra: 1 }, { unknownFields: "ignore" })).toEqual([]);
});
