import type { Memcached } from "./memcached.types.ts";

/** All the memory that the Pods of one Memcached may use, in MiB. */
const total = 1024;

/** Gives a Memcached without a memory its share of the total for each Pod, and at most 64 MiB. */
export function setDefaults({ spec }: Memcached): void {
  // The schema has not been checked yet: any field can be missing.
  if (typeof spec?.size !== "number") return;
  spec.memory ??= Math.min(64, Math.floor(total / spec.size));
}
