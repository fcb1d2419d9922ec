import type { Memcached } from "./memcached.types.ts";

const mebibytesForAll = 1024;
const mebibytesAtMost = 64;

/** Replaces the spec. The share is counted down instead of divided. */
export function setDefaults(memcached: Memcached): void {
  const { spec } = memcached;
  if (spec === undefined || !Number.isInteger(spec.size)) return;
  if ("memory" in spec) return;
  let memory = mebibytesAtMost;
  while (memory * spec.size > mebibytesForAll) memory--;
  memcached.spec = { ...spec, memory };
}
