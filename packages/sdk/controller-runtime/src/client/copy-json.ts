/**
 * Returns a deep copy of JSON data, several times as fast as structuredClone. Falls back to structuredClone
 * for anything else, for example a Date.
 *
 * @throws DataCloneError for values that cannot be cloned, for example a function
 */
export function copyJson<T>(value: T): T {
  if (typeof value !== "object" || value === null)
    return typeof value === "function" ? structuredClone(value) : value;
  if (Array.isArray(value)) return value.map(copyJson) as T;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    // A plain assignment would set the prototype instead of a field.
    if (name === "__proto__") {
      Object.defineProperty(copy, name, {
        ...{ value: copyJson(field), writable: true, enumerable: true, configurable: true },
      });
    } else copy[name] = copyJson(field);
  }
  return copy as T;
}
