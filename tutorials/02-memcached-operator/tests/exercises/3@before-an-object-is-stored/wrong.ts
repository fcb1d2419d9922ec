import type { Memcached } from "./memcached.types.ts";

/** Overwrites what the user has set, and fails if there is no spec. */
export function setDefaults(memcached: Memcached): void {
  memcached.spec.memory = Math.min(64, Math.floor(1024 / memcached.spec.size));
}
