/** A value as JSON carries it. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object. An undefined member counts as missing. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** Returns whether a value is an object, but neither a list nor null. helm calls it a table. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an own member: "constructor" and "__proto__" are keys like any other. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a member. Assigning to "__proto__" would change the prototype; this defines a member of that name. */
export function put(object: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Returns a deep copy without undefined members. */
export function copyJson<T extends JsonValue>(value: T): T;
export function copyJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => copyJson(item));
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) put(copy, key, copyJson(member));
  }
  return copy;
}
