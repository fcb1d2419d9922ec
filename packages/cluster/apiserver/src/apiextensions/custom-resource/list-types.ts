import type { StatusCause } from "../../apimachinery/errors.ts";
import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import { duplicate, invalid } from "../../apimachinery/validation/cause.ts";
import { isJsonObject, type JsonObject, type JsonValue, sortedJson } from "../../lib/json/json.ts";

/** Validates that elements of a set, and keys of a list of type map, are unique (x-kubernetes-list-type). */
export function validateListTypes(
  value: JsonValue | undefined,
  schema: RawSchema | undefined,
  path = "",
): StatusCause[] {
  if (schema === undefined) return [];
  if (Array.isArray(value)) {
    const own = validateUnique(value, schema, path);
    // Nothing is reported about the fields of elements that must not exist.
    if (own.length > 0) return own;
    return value.flatMap((item, index) => validateListTypes(item, schema.items, `${path}[${index}]`));
  }
  if (!isJsonObject(value)) return [];
  const { properties = {}, additionalProperties } = schema;
  return Object.keys(value).flatMap((key) => {
    const declared = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const member = declared ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
    const inner = declared === undefined ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    return validateListTypes(value[key], member, inner);
  });
}

function validateUnique(value: JsonValue[], schema: RawSchema, path: string): StatusCause[] {
  const type = schema["x-kubernetes-list-type"];
  if (type !== "set" && type !== "map") return [];
  const seen = new Set<string>();
  const reported = new Set<string>();
  const causes: StatusCause[] = [];
  value.forEach((item, index) => {
    if (type === "map" && !isJsonObject(item)) {
      causes.push(invalid(`${path}[${index}]`, item, "must be an object for an array of list-type map"));
      return;
    }
    const shown = type === "set" ? item : keysOf(item, schema);
    const identity = sortedJson(shown);
    // A duplicate is reported once, however often it occurs.
    if (seen.has(identity) && !reported.has(identity)) {
      causes.push(duplicate(`${path}[${index}]`, shown));
      reported.add(identity);
    }
    seen.add(identity);
  });
  return causes;
}

/** Returns the keys of an element, including defaults of the keys. */
function keysOf(item: JsonValue, schema: RawSchema): JsonObject {
  const keys: JsonObject = {};
  if (!isJsonObject(item)) return keys;
  for (const key of schema["x-kubernetes-list-map-keys"] ?? []) {
    const value = item[key] ?? schema.items?.properties?.[key]?.default;
    if (value !== undefined) keys[key] = value;
  }
  return keys;
}
