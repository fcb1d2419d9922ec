import type { JsonObject, JsonValue } from "../json.ts";

/** Sets an own member. Assignment would change the prototype where the name is `__proto__`: here it is data only. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** The own member, never one of Object.prototype's. */
export function getMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
