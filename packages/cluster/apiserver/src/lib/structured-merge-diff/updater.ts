import type { JsonObject, JsonValue } from "../json/json.ts";
import { ADDED, compareValues, MODIFIED, REMOVED, selectPaths } from "./compare.ts";
import { ApplyConflictError, conflictsOf } from "./conflicts.ts";
import {
  difference,
  emptySet,
  type FieldSet,
  intersection,
  isEmptySet,
  recursiveDifference,
  union,
} from "./field-set.ts";
import {
  type ManagedEntry,
  type ManagerInfo,
  type Managers,
  managerIdentifier,
  withEntry,
} from "./managers.ts";
import { mergeValues } from "./merge.ts";
import { pruneApplied } from "./prune.ts";
import { reconcileWithSchema } from "./reconcile.ts";
import { toFieldSet } from "./to-field-set.ts";
import { type Convert, type TypedObject, TypedValueError } from "./typed-value.ts";

export interface UpdaterOptions {
  convert: Convert;
  /** Fields that a write to this resource or subresource never sets. */
  resetFields: FieldSet;
}

interface Comparison {
  removed: FieldSet;
  /** Added or modified fields. */
  changed: FieldSet;
}

/**
 * Returns the owners after an update (Updater.Update of structured-merge-diff). The writer owns what it
 * changed, and the others what it left unchanged. @throws TypedValueError
 */
export function updateOwners(
  live: TypedObject,
  next: TypedObject,
  managers: Managers,
  options: UpdaterOptions,
): { managers: Managers; self: FieldSet } {
  const reconciled = reconcileManagers(live, managers, options);
  const own = compare(live, next, options);
  const { managers: others } = settle(live, next, reconciled, undefined, true, own, options);
  return { managers: others, self: own.changed };
}

/**
 * Applies a configuration, and returns the object and its owners (Updater.Apply of structured-merge-diff).
 *
 * @param applied must fit its type
 * @throws ApplyConflictError unless forced, TypedValueError
 */
export function applyConfiguration(
  live: TypedObject,
  applied: TypedObject,
  managers: Managers,
  applier: ManagerInfo,
  force: boolean,
  options: UpdaterOptions,
): { value: JsonObject; managers: Managers } {
  const identifier = managerIdentifier(applier);
  const before = reconcileManagers(live, managers, options);
  const merged = { ...live, value: mergeValues(live.value, applied.value, live.type) as JsonObject };
  const last = before.get(identifier);
  const set = recursiveDifference(toFieldSet(applied.value, applied.type), options.resetFields);
  const entry: ManagedEntry = { ...applier, set, time: last?.time };
  // An applier that owns nothing is part of this comparison, and dropped afterwards.
  const during = new Map(before).set(identifier, entry);
  const pruned = pruneApplied(merged, during, last, live.apiVersion, options.convert);
  const own = compare(live, pruned, options);
  const after = settle(live, pruned, during, identifier, force, own, options).managers;
  return { value: pruned.value, managers: after };
}

function compare(live: TypedObject, next: TypedObject, { resetFields }: UpdaterOptions): Comparison {
  const found = compareValues(live.value as JsonValue, next.value as JsonValue, live.type);
  if (found === undefined) return same;
  return {
    removed: recursiveDifference(selectPaths(found, REMOVED), resetFields),
    changed: recursiveDifference(selectPaths(found, ADDED | MODIFIED), resetFields),
  };
}

const same: Comparison = { removed: emptySet, changed: emptySet };

/** Removes changed and deleted fields from the other managers. @throws ApplyConflictError unless forced */
function settle(
  live: TypedObject,
  next: TypedObject,
  managers: Managers,
  workflow: string | undefined,
  force: boolean,
  own: Comparison,
  options: UpdaterOptions,
): { managers: Managers } {
  const comparisons = new Map<string, Comparison | undefined>([[live.apiVersion, own]]);
  const conflicts = new Map<string, { manager: ManagerInfo; set: FieldSet }>();
  let result = managers;
  for (const [identifier, entry] of managers) {
    if (identifier === workflow) continue;
    if (!comparisons.has(entry.apiVersion)) {
      comparisons.set(entry.apiVersion, compareIn(entry.apiVersion, live, next, options));
    }
    const comparison = comparisons.get(entry.apiVersion);
    if (comparison === undefined) {
      // The version no longer exists, so the set has no meaning.
      result = withEntry(result, identifier, { ...entry, set: emptySet });
      continue;
    }
    const { changed, removed } = comparison;
    const conflict = isEmptySet(changed) ? emptySet : intersection(entry.set, changed);
    if (!isEmptySet(conflict)) conflicts.set(identifier, { manager: entry, set: conflict });
    const set = difference(difference(entry.set, conflict), removed);
    if (set !== entry.set || isEmptySet(set)) result = withEntry(result, identifier, { ...entry, set });
  }
  if (!force && conflicts.size > 0) throw new ApplyConflictError(conflictsOf(conflicts));
  const self = workflow === undefined ? undefined : result.get(workflow);
  if (workflow !== undefined && self !== undefined && isEmptySet(self.set)) {
    result = withEntry(result, workflow, self);
  }
  return { managers: result };
}

function compareIn(
  apiVersion: string,
  live: TypedObject,
  next: TypedObject,
  options: UpdaterOptions,
): Comparison | undefined {
  const before = options.convert(live, apiVersion);
  const after = options.convert(next, apiVersion);
  if (before === undefined || after === undefined) return undefined;
  try {
    return compare(before, after, options);
  } catch (error) {
    // The versions have different schemas: the manager keeps its fields.
    if (error instanceof TypedValueError) return same;
    throw error;
  }
}

/** Adapts all sets to the current types. Drops managers of versions that no longer exist. */
function reconcileManagers(live: TypedObject, managers: Managers, { convert }: UpdaterOptions): Managers {
  let result = managers;
  for (const [identifier, entry] of managers) {
    const typed = entry.apiVersion === live.apiVersion ? live : convert(live, entry.apiVersion);
    const set = typed === undefined ? emptySet : reconcileWithSchema(entry.set, typed.type);
    if (set !== entry.set) result = withEntry(result, identifier, { ...entry, set });
  }
  return result;
}

/** Adds fields to the entry of a writer that may own others already. */
export function addToEntry(managers: Managers, info: ManagerInfo, set: FieldSet, time: string): Managers {
  const identifier = managerIdentifier(info);
  const before = managers.get(identifier);
  return withEntry(managers, identifier, { ...info, set: union(set, before?.set ?? emptySet), time });
}
