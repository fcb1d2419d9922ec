import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Schema } from "../types/schema.ts";

/**
 * Removes, in place, the fields that a structural schema does not name, but where it says
 * x-kubernetes-preserve-unknown-fields. apiVersion, kind and metadata of the object, and of objects embedded in it, stay.
 * @returns the paths of what was removed, in order of the alphabet: `spec.list[0].foo`
 */
export function prune(object: JsonObject, schema: Schema): string[] {
  const removed: string[] = [];
  pruneObject(object, schema, "", true, removed);
  return removed.sort();
}

function pruneObject(
  object: JsonObject,
  schema: Schema,
  path: string,
  isResource: boolean,
  removed: string[],
): void {
  const { properties = {}, additionalProperties } = schema;
  const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true;
  for (const key of Object.keys(object)) {
    if (isResource && (key === "metadata" || key === "apiVersion" || key === "kind")) continue;
    const inner = path === "" ? key : `${path}.${key}`;
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const value = object[key];
    if (property !== undefined) pruneValue(value, property, inner, removed);
    else if (typeof additionalProperties === "object")
      pruneValue(value, additionalProperties, inner, removed);
    else if (additionalProperties !== true && !keepsUnknown) {
      delete object[key];
      removed.push(inner);
    }
  }
}

function pruneValue(value: JsonValue | undefined, schema: Schema, path: string, removed: string[]): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    value.forEach((item, index) => {
      pruneValue(item, items, `${path}[${index}]`, removed);
    });
  } else if (isJsonObject(value)) {
    pruneObject(value, schema, path, schema["x-kubernetes-embedded-resource"] === true, removed);
  }
}
