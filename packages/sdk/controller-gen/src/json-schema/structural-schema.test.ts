import { expect, test } from "vitest";
import * as z from "zod";
import type { JsonSchema } from "./json-schema.ts";
import { structuralSchema } from "./structural-schema.ts";

const keep = { "x-kubernetes-preserve-unknown-fields": true };
const union = z.discriminatedUnion("type", [
  z.object({ type: z.literal("a") }),
  z.object({ type: z.literal("b"), b: z.string() }),
]);

interface Tree {
  name: string;
  children: Tree[];
}
const Tree: z.ZodType<Tree> = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree);
  },
});
const KeptTree = z.object({
  get children(): z.ZodType {
    return z.array(KeptTree).meta(keep);
  },
});

function convert(schema: JsonSchema): { result: object; problems: string[] } {
  const problems: string[] = [];
  const result = structuralSchema(schema, (path, message, suggestion) =>
    problems.push(`${path}: ${message}: ${suggestion}`),
  );
  return { result, problems };
}

const toJson = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { io: "input" });

test.each<[string, z.ZodType, object]>([
  [
    "a range of an int32, a default and a description",
    z.int().min(1).max(5).default(1).describe("Size"),
    { type: "integer", format: "int32", minimum: 1, maximum: 5, default: 1, description: "Size" },
  ],
  [
    "safe integers",
    z.int(),
    { type: "integer", format: "int64", minimum: -(2 ** 53) + 1, maximum: 2 ** 53 - 1 },
  ],
  ["an exclusive bound", z.number().positive(), { type: "number", minimum: 0, exclusiveMinimum: true }],
  [
    "a nullable default",
    z.string().nullable().default(null),
    { type: "string", nullable: true, default: null },
  ],
  [
    "the description of a nullable",
    z.string().describe("d").nullable(),
    { type: "string", nullable: true, description: "d" },
  ],
  [
    "a nullable enumeration, within allOf, so a server does not compare null with it",
    z.enum(["a"]).nullable(),
    { type: "string", nullable: true, allOf: [{ enum: ["a"] }] },
  ],
  [
    "an integer or one of some strings",
    z.union([z.int().min(1).max(9), z.enum(["auto", "a.b"])]),
    {
      anyOf: [{ type: "integer" }, { type: "string" }],
      "x-kubernetes-int-or-string": true,
      minimum: 1,
      maximum: 9,
      pattern: "^(?:auto|a\\.b)$",
    },
  ],
  [
    "a quantity",
    z.union([z.number(), z.string()]).meta({ "x-kubernetes-int-or-string": true }),
    { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
  ],
  [
    "a duration of Go",
    z.string().meta({ format: "duration" }),
    { type: "string", allOf: [{ format: "duration" }] },
  ],
  ["a code point in a pattern", z.string().regex(/^\u00e9$/), { type: "string", pattern: "^\\x{00e9}$" }],
  [
    "a list that server-side apply merges by a key",
    z.array(z.object({ name: z.string() })).meta({
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    }),
    {
      type: "array",
      items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    },
  ],
  [
    "a rule in CEL",
    z.object({ a: z.boolean() }).meta({ "x-kubernetes-validations": [{ rule: "self.a" }] }),
    {
      type: "object",
      properties: { a: { type: "boolean" } },
      required: ["a"],
      "x-kubernetes-validations": [{ rule: "self.a" }],
    },
  ],
  [
    "no annotation that Kubernetes lacks",
    z
      .string()
      .readonly()
      .meta({ examples: ["a"], label: "b" }),
    { type: "string" },
  ],
  ["any value", z.unknown(), { ...keep, nullable: true }],
  ["an open object", z.looseObject({}), { type: "object", ...keep }],
  ["a union that the server keeps", union.meta(keep), { type: "object", ...keep }],
  ["a type of JavaScript that the server keeps", z.custom<Date>().meta(keep), keep],
  [
    "a recursive list that the server keeps",
    KeptTree,
    { type: "object", properties: { children: { type: "array", items: keep } }, required: ["children"] },
  ],
])("converts %s", (_what, schema, expected) => {
  // controller-gen also asks zod for a placeholder for each type that it cannot write.
  const json = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: ({ message }) => ({ $unrepresentable: message }),
  });
  expect(convert(json as JsonSchema)).toEqual({ result: expected, problems: [] });
});

const kept = "let the server keep this field unchecked with x-kubernetes-preserve-unknown-fields: true";

test.each<[z.ZodType, string]>([
  [
    union,
    `a union of different objects is not supported: use one object with optional fields and a rule in CEL (x-kubernetes-validations), or ${kept}`,
  ],
  [
    z.union([z.int(), z.array(z.int())]),
    `a union of integer and array is not supported: use one type, or any integer and string, or ${kept}`,
  ],
  [
    z.union([z.string(), z.boolean()]),
    `values of the types string and boolean are not supported in one field: use one type, or ${kept}`,
  ],
  [
    z.tuple([z.string()]),
    "tuples are not supported: all items of a list have the same schema: use an object with a field for each item",
  ],
  [z.never(), "the keyword not is not supported: list the allowed values, or leave the field out"],
  [z.null(), "null is the only value: leave the field out"],
  [
    z.string().regex(/^(?!a)/),
    "the pattern ^(?!a) is not valid in RE2, the syntax of API servers (error parsing regexp: invalid or unsupported Perl syntax: `(?!`): write it without lookarounds and backreferences",
  ],
  [z.jwt(), "an API server does not check the format jwt: use a regular expression"],
  [
    z.record(z.string().regex(/^a/), z.string()),
    "an API server cannot check the keys of a map: allow any string as key, and write a CEL rule in x-kubernetes-validations with self.all(key, key.matches(…))",
  ],
  [
    z.object({ a: z.string() }).catchall(z.int()),
    "an object cannot have named fields and a map of others: move the map into a field of its own",
  ],
  [
    z.string().meta({ "x-kubernetes-validation": [] }),
    "there is no x-kubernetes-validation: did you mean x-kubernetes-validations?",
  ],
])("%# names a field that Kubernetes has no schema for, and what to write instead", (schema, problem) => {
  const { problems } = convert(toJson(z.object({ spec: z.object({ list: z.array(schema) }) })));
  expect(problems).toEqual([`spec.list[*]: ${problem}`]);
});

test("names the field in which a schema contains itself", () => {
  expect(convert(toJson(z.object({ tree: Tree }))).problems).toEqual([
    `tree.children[*]: the schema contains itself, and a structural schema cannot: ${kept}`,
  ]);
});

const rule = (text: string) => ({ "x-kubernetes-validations": [{ rule: text }] });

test.each<[string, z.ZodType, object]>([
  [
    "null is allowed only if both members allow it",
    z.object({
      one: z.intersection(z.string(), z.string().nullable()),
      other: z.intersection(z.string().nullable(), z.string()),
      both: z.intersection(z.string().nullable(), z.string().nullable()),
      unknown: z.intersection(z.unknown(), z.string().nullable()),
    }),
    {
      type: "object",
      properties: {
        one: { type: "string" },
        other: { type: "string" },
        both: { type: "string", nullable: true },
        unknown: { type: "string", nullable: true },
      },
      required: ["one", "other", "both", "unknown"],
    },
  ],
  [
    "the CEL rules of both members and of the intersection",
    z.intersection(z.looseObject({}).meta(rule("1")), z.looseObject({}).meta(rule("2"))).meta(rule("3")),
    {
      type: "object",
      ...keep,
      "x-kubernetes-validations": [{ rule: "1" }, { rule: "2" }, { rule: "3" }],
    },
  ],
  [
    "the CEL rules of any value",
    z.intersection(z.unknown().meta(rule("1")), z.string().meta(rule("2"))),
    { type: "string", "x-kubernetes-validations": [{ rule: "1" }, { rule: "2" }] },
  ],
  [
    "a CEL rule once if both members have it",
    z.intersection(z.string().meta(rule("1")), z.string().meta(rule("1"))),
    { type: "string", "x-kubernetes-validations": [{ rule: "1" }] },
  ],
  [
    "the CEL rules of a nullable and of its type",
    z.string().meta(rule("1")).nullable().meta(rule("2")),
    { type: "string", nullable: true, "x-kubernetes-validations": [{ rule: "1" }, { rule: "2" }] },
  ],
  [
    "the CEL rules of a field and of its shared schema",
    z.object({
      a: z
        .string()
        .meta({ id: "WithRule", ...rule("1") })
        .meta(rule("2")),
    }),
    {
      type: "object",
      properties: { a: { type: "string", "x-kubernetes-validations": [{ rule: "1" }, { rule: "2" }] } },
      required: ["a"],
    },
  ],
])("keeps in an intersection: %s", (_what, schema, expected) => {
  expect(convert(toJson(schema))).toEqual({ result: expected, problems: [] });
});

test("keeps the tighter checks beside a union with null and beside a $ref", () => {
  const expected = { type: "string", maxLength: 5, allOf: [{ maxLength: 3 }] };
  const branch = { type: "string", maxLength: 3 };
  const nullable = { maxLength: 5, anyOf: [branch, { type: "null" }] };
  const a = { $ref: "#/$defs/A", maxLength: 5 };
  expect(convert(nullable)).toEqual({ result: { ...expected, nullable: true }, problems: [] });
  expect(convert({ type: "object", properties: { a }, $defs: { A: branch } })).toEqual({
    result: { type: "object", properties: { a: expected } },
    problems: [],
  });
});

test.each([
  { type: ["string", "null"], allOf: [{ type: "string" }] },
  { type: "string", anyOf: [{ type: "string" }, { type: "null" }] },
])("rejects null if one of the schemas does: %j", (schema) => {
  expect(convert(schema)).toEqual({ result: { type: "string" }, problems: [] });
});

test("allows null only where a schema names it", () => {
  const properties = { a: { type: "string" } };
  expect(convert({ properties }).result).toEqual({ type: "object", properties });
  expect(convert({ type: ["integer", "string", "null"] }).result).toMatchObject({
    "x-kubernetes-int-or-string": true,
    nullable: true,
  });
  expect(convert({ type: ["string", "null"], enum: ["a"] }).result).toEqual({ type: "string", enum: ["a"] });
});

test.each([
  ["default", "a", "b"],
  ["x-kubernetes-list-type", "set", "atomic"],
])("reports an intersection whose schemas differ in %s", (key, a, b) => {
  const members = [{ type: "array" }, { type: "array" }].map((part, i) => ({ ...part, [key]: i ? b : a }));
  const problem = `: an intersection of schemas that differ in ${key} is not supported: write one schema`;
  expect(convert({ allOf: members }).problems).toEqual([problem]);
  if (key === "default") return;
  expect(convert({ allOf: members.slice(1), [key]: a }).problems).toEqual([problem]);
});

test("names the fields of a record whose keys are an enumeration with an id", () => {
  const schema = z.record(z.enum(["red", "green"]).meta({ id: "Colour" }), z.string());
  expect(convert(toJson(schema))).toEqual({
    result: {
      type: "object",
      properties: { red: { type: "string" }, green: { type: "string" } },
      required: ["red", "green"],
    },
    problems: [],
  });
});

test("reports a pattern of keys that has an id", () => {
  const pattern = z.string().regex(/^a/).meta({ id: "Key" });
  expect(convert(toJson(z.record(pattern, z.string()))).problems).toEqual([
    expect.stringMatching(/^: an API server cannot check the keys of a map: /),
  ]);
  const plain = z.string().meta({ id: "PlainKey" });
  expect(convert(toJson(z.record(plain, z.string()))).problems).toEqual([]);
});

test("reads the older dialects", () => {
  const draft07 = {
    type: "object",
    properties: { a: { $ref: "#/definitions/A~1B" } },
    definitions: { "A/B": { const: 1 } },
  };
  expect(convert(draft07).result).toEqual({
    type: "object",
    properties: { a: { type: "integer", format: "int64", enum: [1] } },
  });
  const openApi = { type: "number", nullable: true, minimum: 1, exclusiveMinimum: true };
  expect(convert(openApi).result).toEqual(openApi);
});
