import type { Schema } from "../schema/schema.ts";

/** The runtime schemas converted so far, by the schema that they come from. */
export type RuntimeSchemas = WeakMap<Schema, Schema>;

/**
 * Returns the part of a schema that an operator needs: without documentation and CEL rules. Sorts its keys.
 */
export function runtimeSchema(schema: Schema, converted: RuntimeSchemas): Schema {
  const before = converted.get(schema);
  if (before !== undefined) return before;
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (documentation.has(key) || value === undefined) continue;
    entries.push([key, convertValue(key, value, converted)]);
  }
  const result = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) as Schema;
  converted.set(schema, result);
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

function convertValue(key: string, value: unknown, converted: RuntimeSchemas): unknown {
  switch (key) {
    case "properties":
      return Object.fromEntries(
        Object.entries(value as Record<string, Schema>)
          .map(([name, child]) => [name, runtimeSchema(child, converted)] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    case "items":
      return runtimeSchema(value as Schema, converted);
    case "additionalProperties":
      return typeof value === "object" ? runtimeSchema(value as Schema, converted) : value;
    case "allOf":
    case "anyOf":
      return (value as Schema[]).map((child) => runtimeSchema(child, converted));
    default:
      return value;
  }
}
