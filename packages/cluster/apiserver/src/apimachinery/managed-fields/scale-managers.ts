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

/** Where the number of replicas is, by apiVersion of the scaled kind; undefined for a version without it. */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[] | undefined>;

/** Who owns the replicas, as managers of the Scale (ScaleHandler.ToSubresource). */
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
 * The managers of the scaled object after a write to its Scale (ScaleHandler.ToParent). A manager of the Scale keeps
 * its identifier there, in which autoscaling/v1 stands for who updates: so does a real server.
 * @param apiVersion of the scaled object
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
