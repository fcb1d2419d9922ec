/**
 * Freezes an object and all it holds, so that a write to a cached object throws where it is made. Bytes (a Buffer, a typed
 * array) cannot be frozen, and are left as they are.
 */
export function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value) && !ArrayBuffer.isView(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
