import { difference, type FieldSet, fieldSetOf, hasPath } from "../../lib/structured-merge-diff/field-set.ts";
import {
  type ManagedEntry,
  type Managers,
  managerIdentifier,
  withEntry,
} from "../../lib/structured-merge-diff/managers.ts";
import { fieldElement, type PathElement } from "../../lib/structured-merge-diff/path-element.ts";

const scaleVersion = "autoscaling/v1";
const replicasPath = ["spec", "replicas"].map(fieldElement);
const replicas = fieldSetOf(replicasPath);

/** Path of the replicas by apiVersion of the scaled kind. Undefined for a version without replicas. */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[] | undefined>;

/** Returns the owners of the replicas as managers of the Scale (ScaleHandler.ToSubresource). */
export function toScaleManagers(parent: Managers, paths: ReplicasPaths): Managers {
  let managers: Managers = new Map();
  for (const entry of parent.values()) {
    const path = paths.get(entry.apiVersion);
    if (path === undefined || !hasPath(entry.set, path)) continue;
    const scaled: ManagedEntry = { ...entry, apiVersion: scaleVersion, set: replicas };
    managers = withEntry(managers, managerIdentifier(scaled), scaled);
  }
  return managers;
}

/**
 * Returns the managers of the scaled object after a write to its Scale (ScaleHandler.ToParent). As in a real
 * server, a manager of the Scale keeps its identifier, which contains autoscaling/v1 for updates.
 *
 * @param apiVersion version of the scaled object
 */
export function toParentManagers(
  parent: Managers,
  scale: Managers,
  apiVersion: string,
  paths: ReplicasPaths,
): Managers {
  const left = new Map(scale);
  const managers = new Map<string, ManagedEntry>();
  for (const [identifier, entry] of parent) {
    if (!paths.has(entry.apiVersion)) continue;
    const path = paths.get(entry.apiVersion);
    if (path === undefined || !hasPath(entry.set, path)) {
      managers.set(identifier, entry);
    } else if (left.delete(identifier)) {
      managers.set(identifier, entry);
    } else {
      const set = difference(entry.set, fieldSetOf(path));
      if (set.children !== undefined) managers.set(identifier, { ...entry, set });
    }
  }
  const set: FieldSet = fieldSetOf(paths.get(apiVersion) ?? []);
  for (const [identifier, entry] of left) {
    if (!hasPath(entry.set, replicasPath)) continue;
    managers.set(identifier, { ...entry, apiVersion, set, time: parent.get(identifier)?.time });
  }
  return managers;
}
