import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import type { Schema } from "./schema.ts";

/**
 * Removes the fields that a structural schema does not name, in place. Keeps those under
 * x-kubernetes-preserve-unknown-fields, and apiVersion, kind and metadata of the object and of embedded
 * objects.
 *
 * @param metadata schema for the metadata of embedded objects. Without it, that is kept unchanged
 * @returns the removed paths, sorted: `spec.list[0].foo`
 */
export function prune(object: JsonObject, schema: Schema, metadata?: Schema): string[] {
  const removed: string[] = [];
  pruneObject(object, schema, "", true, { metadata, removed });
  return removed.sort();
}

interface Pruning {
  metadata: Schema | undefined;
  removed: string[];
}

function pruneObject(
  object: JsonObject,
  schema: Schema,
  path: string,
  isResource: boolean,
  pruning: Pruning,
): void {
  const { properties = {}, additionalProperties } = schema;
  const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true;
  for (const key of Object.keys(object)) {
    if (isResource && (key === "apiVersion" || key === "kind")) continue;
    const inner = path === "" ? key : `${path}.${key}`;
    if (isResource && key === "metadata") {
      // The metadata of the object itself has been decoded before.
      if (path !== "" && pruning.metadata !== undefined)
        pruneValue(object[key], pruning.metadata, inner, pruning);
      continue;
    }
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const value = object[key];
    if (property !== undefined) pruneValue(value, property, inner, pruning);
    else if (typeof additionalProperties === "object")
      pruneValue(value, additionalProperties, inner, pruning);
    else if (additionalProperties !== true && !keepsUnknown) {
      delete object[key];
      pruning.removed.push(inner);
    }
  }
}

function pruneValue(value: JsonValue | undefined, schema: Schema, path: string, pruning: Pruning): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    value.forEach((item, index) => {
      pruneValue(item, items, `${path}[${index}]`, pruning);
    });
  } else if (isJsonObject(value)) {
    pruneObject(value, schema, path, schema["x-kubernetes-embedded-resource"] === true, pruning);
  }
}
