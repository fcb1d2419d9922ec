/**
 * A copy of what travels as JSON, several times as fast as structuredClone, which does the rest: a Date, say.
 *
 * @throws DataCloneError for what cannot be copied, a function say
 */
export function copyJson<T>(value: T): T {
  if (typeof value !== "object" || value === null)
    return typeof value === "function" ? structuredClone(value) : value;
  if (Array.isArray(value)) return value.map(copyJson) as T;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    // A field of this name is a field like any other.
    if (name === "__proto__") {
      Object.defineProperty(copy, name, {
        ...{ value: copyJson(field), writable: true, enumerable: true, configurable: true },
      });
    } else copy[name] = copyJson(field);
  }
  return copy as T;
}
