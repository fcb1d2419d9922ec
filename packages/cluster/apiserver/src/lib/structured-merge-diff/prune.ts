import type { JsonObject } from "../json/json.ts";
import { difference, type FieldSet, intersection, isEmptySet, union } from "./field-set.ts";
import type { ManagedEntry, Managers } from "./managers.ts";
import { withNamedFields } from "./named-fields.ts";
import { removeItems } from "./remove-items.ts";
import { toFieldSet } from "./to-field-set.ts";
import { type Convert, type TypedObject, TypedValueError } from "./typed-value.ts";

/**
 * Removes the fields that the applier applied last time, does not apply now, and no other manager owns
 * (Updater.prune of structured-merge-diff).
 *
 * @param managers the applier's entry has the fields that it applies now
 * @param last the fields that it applied last time
 * @param apiVersion version of the result
 * @throws TypedValueError
 */
export function pruneApplied(
  merged: TypedObject,
  managers: Managers,
  last: ManagedEntry | undefined,
  apiVersion: string,
  convert: Convert,
): TypedObject {
  if (last === undefined || isEmptySet(last.set)) return merged;
  const before = convert(merged, last.apiVersion);
  if (before === undefined) return merged;
  const lastSet = withNamedFields(last.set, before.type);
  const withoutLast = without(before, lastSet);
  const owned = addBackOwned(before, withoutLast, managers, last.apiVersion, convert);
  const pruned = addBackDangling(before, convert(owned, last.apiVersion) ?? owned, lastSet);
  return convert(pruned, apiVersion) ?? merged;
}

function without(object: TypedObject, set: FieldSet): TypedObject {
  if (isEmptySet(set)) return object;
  return { ...object, value: (removeItems(object.value, set, object.type) ?? {}) as JsonObject };
}

/**
 * Restores fields that other managers or the applier's new configuration own, first in the version of the
 * pruned object.
 */
function addBackOwned(
  merged: TypedObject,
  pruned: TypedObject,
  managers: Managers,
  prunedVersion: string,
  convert: Convert,
): TypedObject {
  const byVersion = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values()) {
    const known = byVersion.get(apiVersion);
    byVersion.set(apiVersion, known === undefined ? set : union(known, set));
  }
  const versions = [...byVersion.keys()].sort(
    (a, b) => Number(b === prunedVersion) - Number(a === prunedVersion),
  );
  let result = pruned;
  for (const version of versions) {
    const whole = convert(merged, version);
    const left = convert(result, version);
    if (whole === undefined || left === undefined) continue;
    if (!fits(whole)) continue;
    const wholeSet = withNamedFields(toFieldSet(whole.value, whole.type), whole.type);
    const leftSet = withNamedFields(toFieldSet(left.value, whole.type), whole.type);
    const managed = withNamedFields(byVersion.get(version) as FieldSet, whole.type);
    result = without(whole, difference(wholeSet, union(leftSet, managed)));
  }
  return result;
}

/** Returns whether the value fits its type. Versions with different schemas do not fit each other. */
function fits({ value, type }: TypedObject): boolean {
  try {
    toFieldSet(value, type);
    return true;
  } catch (error) {
    if (error instanceof TypedValueError) return false;
    throw error;
  }
}

/** Restores the fields that the applier did not own last time, whether they have an owner or not. */
function addBackDangling(merged: TypedObject, pruned: TypedObject, lastSet: FieldSet): TypedObject {
  const prunedSet = withNamedFields(toFieldSet(pruned.value, merged.type), merged.type);
  const mergedSet = withNamedFields(toFieldSet(merged.value, merged.type), merged.type);
  return without(merged, intersection(difference(mergedSet, prunedSet), lastSet));
}
