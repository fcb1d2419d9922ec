import { field, fieldPath, throwIfInvalid } from "@operator-path/controller-runtime";
import type { Memcached } from "./memcached.types.ts";
import { memcacheds } from "./zz_generated.resources.ts";

/** Asks the new object whether it is protected, so one request can remove the label and shrink. */
export function checkUpdate(before: Memcached, after: Memcached): string[] {
  const lost = before.spec.size - after.spec.size;
  if (lost <= 0) return [];
  if (after.metadata?.labels?.["cache.example.com/protected"] === "true")
    throwIfInvalid(memcacheds, after, [field.invalid(fieldPath("spec", "size"), after.spec.size, "is protected")]);
  return [`${lost} Pods go`];
}
