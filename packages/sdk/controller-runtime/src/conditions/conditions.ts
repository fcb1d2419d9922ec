import { type Clock, type Condition, systemClock } from "@operator-path/client";

// Port of apimachinery's meta.SetStatusCondition and related functions. They never change a list in place,
// because cached objects are frozen.

/** A condition as a controller sets it. `setStatusCondition` finds out when it last changed. */
export type NewCondition = Omit<Condition, "lastTransitionTime"> & {
  lastTransitionTime?: string | undefined;
};

interface AnyCondition {
  readonly type: string;
  readonly status: string;
}

/**
 * Returns the conditions with this one in them. It replaces the condition of the same type.
 * `lastTransitionTime` changes only when `status` does. Returns the same list when nothing changes.
 *
 * `status: { ...status, conditions: setStatusCondition(status?.conditions, { type: "Available", … }) }`
 *
 * Set `observedGeneration: object.metadata.generation`, so that readers know which spec the condition
 * describes.
 */
export function setStatusCondition(
  conditions: readonly Condition[] | undefined,
  condition: NewCondition,
  { clock = systemClock }: { clock?: Pick<Clock, "now"> | undefined } = {},
): Condition[] {
  const all = [...(conditions ?? [])];
  const index = all.findIndex(({ type }) => type === condition.type);
  const existing = all[index];
  const lastTransitionTime =
    existing?.status === condition.status
      ? existing.lastTransitionTime
      : (condition.lastTransitionTime ?? timestamp(clock.now()));
  const wanted = { ...condition, lastTransitionTime };
  if (!existing) return [...all, wanted];
  // The same list, so that a comparison shows that nothing has changed.
  if (isSame(existing, wanted)) return conditions as Condition[];
  return all.with(index, wanted);
}

/** Returns the conditions without the one of this type, or the same list if it is missing. */
export function removeStatusCondition(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition[] {
  if (!findStatusCondition(conditions, type)) return (conditions ?? []) as Condition[];
  return (conditions ?? []).filter((condition) => condition.type !== type);
}

/**
 * Returns the condition of this type, if any. This and the three functions below accept the conditions of any
 * kind, including those of Deployments and Pods, which have fields of their own.
 */
export function findStatusCondition<C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Returns whether the condition of this type is "True". */
export function isStatusConditionTrue(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, "True");
}

/** Returns whether the condition of this type is "False". Returns false when it is missing. */
export function isStatusConditionFalse(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, "False");
}

/** Returns whether the condition of this type has this status. Returns false when it is missing. */
export function isStatusConditionPresentAndEqual(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
  status: string,
): boolean {
  return findStatusCondition(conditions, type)?.status === status;
}

function isSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    (a.observedGeneration ?? 0) === (b.observedGeneration ?? 0)
  );
}

/** metav1.Time has a resolution of seconds. */
function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}
