/** Any JSON value. */
type Json = unknown;

/**
 * Returns the JSON merge patch (RFC 7386) that turns `original` into `wanted`, `{}` when they are equal. The
 * patch replaces lists as a whole. null removes a field.
 */
export function createMergePatch(original: object, wanted: object): Record<string, Json> {
  const patch: Record<string, Json> = {};
  const before = new Map(Object.entries(original));
  for (const [name, value] of Object.entries(wanted)) {
    // JSON has no undefined: such a field counts as missing.
    if (value === undefined) continue;
    const old = before.get(name);
    before.delete(name);
    if (isObject(old) && isObject(value)) {
      const inner = createMergePatch(old, value);
      if (Object.keys(inner).length > 0) set(patch, name, inner);
    } else if (!isEqualJson(old, value)) set(patch, name, value);
  }
  for (const [name, value] of before) if (value !== undefined && value !== null) set(patch, name, null);
  return patch;
}

/** Applies a JSON merge patch (RFC 7386) to a document and returns the result. */
export function applyMergePatch(document: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json> = isObject(document) ? { ...document } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else set(result, name, applyMergePatch(result[name], value));
  }
  return result;
}

/** Returns whether two values are equal as JSON. Fields that are undefined count as missing. */
export function isEqualJson(a: Json, b: Json): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqualJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  for (const name of Object.keys(a)) if (!isEqualJson(a[name], own(b, name))) return false;
  for (const name of Object.keys(b)) if (b[name] !== undefined && !Object.hasOwn(a, name)) return false;
  return true;
}

export function isObject(value: Json): value is Record<string, Json> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function own(object: Record<string, Json>, name: string): Json {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Also sets a field named __proto__. */
function set(object: Record<string, Json>, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
