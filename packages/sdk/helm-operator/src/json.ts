/** A value as JSON carries it. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object. A member that is undefined counts as one that is not there. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** What helm calls a table: an object, but no list and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of the object's own: "constructor" and "__proto__" are keys like any other. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a member. An assignment to "__proto__" would change what the object inherits; this defines a member of that name. */
export function put(object: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A copy that shares nothing with the original; undefined members are left out. */
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
