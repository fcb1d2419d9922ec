import {
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
} from "../values.ts";

/** Whether a value is the one that its type begins with: an empty text, list or map, false, 0, null. */
export function isZero(value: CelValue): boolean {
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelList || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelMap) return value.size === 0;
  if (value instanceof CelDuration) return value.nanoseconds === 0n;
  if (value instanceof CelTimestamp) return false;
  if (value instanceof CelOptional) return value.value === undefined;
  return value === null || value === false || value === "" || value === 0 || value === 0n;
}
