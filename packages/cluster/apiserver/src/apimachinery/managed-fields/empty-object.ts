import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import type { Schema } from "../schema/schema.ts";
import { conform } from "../serializer/conform.ts";

/**
 * A new object of a kind before anything is said of it: structs that are there anyway, and null for lists, maps and
 * pointers that are always written (what Go's zero value of the kind is in JSON).
 */
export function emptyObject(schema: Schema): JsonObject {
  const object = conform({}, schema);
  addNulls(object, schema);
  return object;
}

function addNulls(object: JsonObject, schema: Schema): void {
  for (const name of schema.required ?? []) object[name] ??= null;
  for (const [name, value] of Object.entries(object)) {
    const property = schema.properties?.[name];
    if (property !== undefined && isJsonObject(value)) addNulls(value, property);
  }
}
