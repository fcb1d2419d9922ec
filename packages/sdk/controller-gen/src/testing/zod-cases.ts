import { ApiError, type Client, defineResource, type SchemaResource } from "@operator-path/client";
import * as z from "zod";

/** A schema, and values that zod and an API server must agree on. */
export type ZodCase = readonly [schema: z.ZodType, ...values: readonly unknown[]];

const port = z.object({ name: z.string(), number: z.int().min(1).max(65_535) });

/** The cases by the name of their field in `spec`. */
export const zodCases: Readonly<Record<string, ZodCase>> = {
  int: [z.int(), 0, -5, 2 ** 53 - 1, 2 ** 53, 1.5, "1", true, [], {}],
  int32: [z.int32(), 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 0.5],
  uint32: [z.uint32(), 0, -1, 2 ** 32 - 1, 2 ** 32],
  bounded: [z.int().min(1).max(5), 0, 1, 5, 6],
  number: [z.number(), 1, 1.5, -1e300, "1"],
  exclusive: [z.number().gt(0).lt(1), 0, 0.5, 1],
  tighterExclusive: [z.number().min(0).gt(1), 1, 0.5, 1.5],
  tighterInclusive: [z.number().gt(0).min(1), 0, 0.5, 1],
  multiples: [z.int().multipleOf(2).multipleOf(3), 6, 4, 3],
  boolean: [z.boolean(), true, "true", 0],
  string: [z.string().min(2).max(3), "a", "ab", "abc", "abcd", "😀", "😀😀😀", "e\u0301", 5],
  patterns: [z.string().regex(/^a/).regex(/b$/), "ab", "a", "b"],
  flags: [z.string().regex(/^a/i).regex(/b.$/s), "Ab\n", "ab ", "AB ", "ba"],
  mac: [z.mac(), "00:1a:2B:3c:4D:5e", "00:1a"],
  cuid: [z.cuid(), "cjld2cjxh0000qzrmn831i7rn", "x"],
  ulid: [z.ulid(), "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01arz3ndektsv4rrffq69g5fav", "u"],
  parts: [z.string().startsWith("a.").includes("+").endsWith("]"), "a.+]", "ab+]", "a.]", "a.+"],
  escapes: [z.string().regex(/^\u00e9\/(?<rest>[\w-]+)$/), "é/a-b", "e/a", "é/"],
  lowercase: [z.string().lowercase(), "a", "A"],
  template: [z.templateLiteral(["v", z.int()]), "v1", "v", "1"],
  email: [z.email(), "a@example.com", "a@b", "a"],
  url: [z.url(), "https://example.com/a", "no url", 1, [], {}],
  uuid: [z.uuid(), "123e4567-e89b-42d3-a456-426614174000", "123e4567", []],
  ipv4: [z.ipv4(), "10.0.0.1", "10.0.0.256", "::1"],
  ipv6: [z.ipv6(), "fe80::1", "10.0.0.1"],
  cidr: [z.cidrv4(), "10.0.0.0/8", "10.0.0.0/33", "10.0.0.0"],
  ip: [z.union([z.ipv4(), z.ipv6()]), "10.0.0.1", "fe80::1", "host"],
  instant: [
    z.iso.datetime(),
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05.678Z",
    "2026-02-30T00:00:00Z",
    "now",
  ],
  day: [z.iso.date(), "2026-01-02", "2026-13-01"],
  time: [z.iso.time(), "03:04:05", "25:00"],
  base64: [z.base64(), "YQ==", "Y"],
  literal: [z.literal("a"), "a", "b", 1],
  literals: [z.literal([1, 2]), 1, 3, "1"],
  mixedLiteral: [z.literal(["a", 1]), "a", 1, "b", 2],
  enumeration: [z.enum(["a", "b"]), "a", "c"],
  mergedEnum: [z.union([z.literal("a"), z.enum(["b", "c"])]), "a", "c", "d"],
  nullable: [z.string().nullable(), null, "a", 1],
  nullableEnum: [z.enum(["a"]).nullable(), null, "a", "b"],
  nullableLiteral: [z.literal(["a", null]), null, "a", "b"],
  nullableObject: [port.nullable(), null, { name: "a", number: 1 }, { name: "a" }],
  intOrString: [z.union([z.int().min(1), z.string().regex(/%$/)]), 1, 0, "5%", "5", 1.5, true],
  autoOrInt: [z.union([z.int(), z.enum(["auto", "a.b"])]), 1, "auto", "a.b", "aXb", "other", []],
  either: [z.xor([z.string().startsWith("a"), z.string().endsWith("b")]), "ac", "cb", "ab", "c"],
  list: [z.array(z.string().min(1)).min(1).max(2), ["a"], [], ["a", "b", "c"], [""], [1], "a"],
  record: [z.record(z.string(), z.int()), { a: 1 }, { a: "1" }, {}, []],
  openRecord: [z.record(z.string(), z.unknown()), { a: [1], b: null }, "a"],
  keyedRecord: [z.record(z.enum(["a", "b"]), z.int()), { a: 1, b: 2 }, { a: 1 }, { a: "1", b: 2 }],
  partialRecord: [z.partialRecord(z.enum(["a", "b"]), z.int()), { a: 1 }, {}, { b: "1" }],
  object: [port, { name: "a", number: 1 }, { name: "a" }, { name: 1, number: 0 }, {}, "a"],
  merged: [
    z.intersection(port, z.object({ host: z.string().optional() })),
    { name: "a", number: 1 },
    { host: "a" },
  ],
  loose: [z.looseObject({ a: z.string() }), { a: "a", b: 1 }, { b: 1 }],
  ports: [z.array(port), [{ name: "a", number: 1 }], [{ name: "a", number: 0 }], [{ number: 1 }, {}]],
  unknown: [z.unknown(), 1, "a", null, [null], { a: { b: 1 } }],
  required: [
    z.object({ a: z.unknown(), b: z.string().nullable() }),
    { a: null, b: null },
    { b: "b" },
    { a: 1 },
  ],
  preset: [
    z.object({ a: z.int().default(1), b: z.object({ c: z.string().default("c") }).prefault({}) }),
    {},
    { b: {} },
    { a: "1" },
  ],
  shared: [
    z.array(port.meta({ id: "zod-cases.port" })),
    [{ name: "a", number: 1 }],
    [{ name: "a", number: 0 }],
  ],
};

const spec = z.object(
  Object.fromEntries(Object.entries(zodCases).map(([name, [schema]]) => [name, schema.optional()])),
);

/** One kind for all cases, so the server has to publish only one CustomResourceDefinition. */
export const Table: z.ZodObject<{ spec: typeof spec }> = z.object({ spec });

export const tables: SchemaResource<typeof Table> = defineResource({
  group: "cases.example.com",
  version: "v1",
  kind: "Table",
  plural: "tables",
  namespaced: true,
  schema: Table,
});

/** Every value with the name of its case. */
export const caseRows: readonly (readonly [name: string, value: unknown])[] = Object.entries(
  zodCases,
).flatMap(([name, [, ...values]]) => values.map((value) => [name, value] as const));

/** Returns the fields that zod rejects, with the names that a server uses. Sorted, without duplicates. */
export function zodFields(given: Readonly<Record<string, unknown>>): string[] {
  const { error } = Table.safeParse({ spec: given });
  const names = error?.issues.map(({ path }) =>
    path.reduce<string>((name, part) => {
      if (typeof part === "number") return `${name}[${part}]`;
      return name === "" ? String(part) : `${name}.${String(part)}`;
    }, ""),
  );
  return [...new Set(names)].sort();
}

/** Returns the fields that the server rejects. Sorted, without duplicates. */
export async function rejectedFields(
  client: Client,
  given: Readonly<Record<string, unknown>>,
  fieldValidation: "Strict" | "Ignore" = "Strict",
): Promise<string[]> {
  const rejection: unknown = await client
    .resource(tables)
    .namespace("default")
    .create({ metadata: { generateName: "a-" }, spec: given }, { dryRun: true, fieldValidation })
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  if (rejection === undefined) return [];
  if (!(rejection instanceof ApiError)) throw rejection;
  const causes = rejection.status.details?.causes ?? [];
  // For a union, a server gives the path in the message instead of the field.
  const fields = causes.map(({ field, message = "" }) =>
    field === "<nil>" ? (/\bspec[.\w[\]]*/.exec(message)?.[0] ?? message) : (field ?? message),
  );
  return fields.length === 0 ? [rejection.message] : [...new Set(fields)].sort();
}
