import { union } from "../../lib/structured-merge-diff/field-set.ts";
import {
  compareText,
  type ManagedEntry,
  type Managers,
  managerIdentifier,
} from "../../lib/structured-merge-diff/managers.ts";
import { seconds } from "./managers.ts";

/** The most update entries. Further ones are merged, the oldest first. */
const limit = 10;

/**
 * Merges the oldest updates of a version into the entry `ancient-changes` until there are few enough
 * (capManagersManager).
 */
export function capUpdateManagers(managers: Managers): Managers {
  if (managers.size <= limit) return managers;
  const updates = [...managers].filter(([, { operation }]) => operation === "Update");
  if (updates.length <= limit) return managers;
  updates.sort(([a, left], [b, right]) => seconds(left) - seconds(right) || compareText(a, b));
  const capped = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  let count = updates.length;
  for (const [identifier, entry] of updates) {
    if (count <= limit) break;
    const { apiVersion } = entry;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, identifier);
      continue;
    }
    const info = { manager: "ancient-changes", operation: "Update", apiVersion, subresource: "" } as const;
    const bucket = managerIdentifier(info);
    const before = capped.get(bucket) ?? (capped.get(first) as ManagedEntry);
    if (!capped.has(bucket)) capped.delete(first);
    capped.delete(identifier);
    capped.set(bucket, { ...info, set: union(entry.set, before.set), time: entry.time });
    count--;
  }
  return capped;
}
