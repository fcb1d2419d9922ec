import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json/json.ts";

/**
 * Sets a field that has no value. As in Go, an empty string counts as no value. 0 and false count as values.
 */
export function setDefault(object: JsonObject, key: string, value: JsonValue): void {
  const current = object[key];
  if (current === undefined || current === null || current === "") object[key] = value;
}

/** Returns the object in a field. Creates it if it is missing. */
export function ensureObject(object: JsonObject, key: string): JsonObject {
  const current = object[key];
  if (isJsonObject(current)) return current;
  const made: JsonObject = {};
  object[key] = made;
  return made;
}

/** Returns the objects of a list, or an empty list. */
export function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
