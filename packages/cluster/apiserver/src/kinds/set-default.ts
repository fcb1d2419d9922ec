import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json/json.ts";

/** Gives a field a value where it has none. Go's empty string counts as none; 0 and false do not. */
export function setDefault(object: JsonObject, key: string, value: JsonValue): void {
  const current = object[key];
  if (current === undefined || current === null || current === "") object[key] = value;
}

/** The object in a field, made where there is none. */
export function ensureObject(object: JsonObject, key: string): JsonObject {
  const current = object[key];
  if (isJsonObject(current)) return current;
  const made: JsonObject = {};
  object[key] = made;
  return made;
}

/** The objects of a list; nothing where there is no list. */
export function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
