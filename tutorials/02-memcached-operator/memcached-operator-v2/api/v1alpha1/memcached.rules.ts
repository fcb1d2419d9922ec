import { field, fieldPath, throwIfInvalid } from "@operator-path/controller-runtime";
import type { Memcached } from "./memcached.types.ts";
import { memcacheds } from "./zz_generated.resources.ts";

const protectedLabel = "cache.example.com/protected";

/** Returns warnings, or throws: a smaller Memcached loses what some of its Pods hold. */
export function checkUpdate(before: Memcached, after: Memcached): string[] {
  const lost = before.spec.size - after.spec.size;
  if (lost <= 0) return [];
  // The stored label counts. Otherwise one request could remove it and shrink.
  if (before.metadata?.labels?.[protectedLabel] === "true") {
    const path = fieldPath("spec", "size");
    const why = `cannot shrink while the label ${protectedLabel} is "true"`;
    throwIfInvalid(memcacheds, after, [field.invalid(path, after.spec.size, why)]);
  }
  return [`${lost} of ${before.spec.size} Pods go, with everything that they hold`];
}
