import type { Schema } from "../schema/schema.ts";

/** Schemas that were made before, of the same object. */
export type RuntimeSchemas = WeakMap<Schema, Schema>;

/** What an operator's process has use for: no documentation, no rules in CEL. Keys are sorted. */
export function runtimeSchema(schema: Schema, made: RuntimeSchemas): Schema {
  const before = made.get(schema);
  if (before !== undefined) return before;
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (documentation.has(key) || value === undefined) continue;
    kept.push([key, changeOf(key, value, made)]);
  }
  const result = Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))) as Schema;
  made.set(schema, result);
  return result;
}

const documentation = new Set([
  "description",
  "title",
  "example",
  "externalDocs",
  "x-kubernetes-validations",
  "x-kubernetes-map-type",
]);

function changeOf(key: string, value: unknown, made: RuntimeSchemas): unknown {
  switch (key) {
    case "properties":
      return Object.fromEntries(
        Object.entries(value as Record<string, Schema>)
          .map(([name, child]) => [name, runtimeSchema(child, made)] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    case "items":
      return runtimeSchema(value as Schema, made);
    case "additionalProperties":
      return typeof value === "object" ? runtimeSchema(value as Schema, made) : value;
    case "allOf":
    case "anyOf":
      return (value as Schema[]).map((child) => runtimeSchema(child, made));
    default:
      return value;
  }
}
