/**
 * Freezes an object deeply, so that a write to a cached object throws at the place that writes. Buffers and
 * typed arrays cannot be frozen and stay as they are. Returns the object.
 */
export function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value) && !ArrayBuffer.isView(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
