import type { Memcached } from "./memcached.types.ts";

/** Throws an ordinary error, and words the warning differently. */
export function checkUpdate(before: Memcached, after: Memcached): string[] {
  const [from, to] = [before.spec.size, after.spec.size];
  const labels = new Map(Object.entries(before.metadata?.labels ?? {}));
  if (to < from && labels.get("cache.example.com/protected") === "true")
    throw new Error(`spec.size: it is protected, and cannot go from ${from} to ${to}`);
  return to < from ? [`you lose the data of ${from - to}`] : [];
}
