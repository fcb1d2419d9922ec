import { type Clock, type Condition, systemClock } from "@operator-path/client";

// apimachinery's meta.SetStatusCondition and its like. Lists are never changed in place: objects from a cache are frozen.

/** A condition as a controller states it: when it last changed is found out by comparing. */
export type NewCondition = Omit<Condition, "lastTransitionTime"> & {
  lastTransitionTime?: string | undefined;
};

interface AnyCondition {
  readonly type: string;
  readonly status: string;
}

/**
 * The conditions with this one among them, in the place of the one of its type. `lastTransitionTime` changes only when
 * `status` does. The same list when nothing changes.
 *
 * `status: { ...status, conditions: setStatusCondition(status?.conditions, { type: "Available", … }) }`
 *
 * Say `observedGeneration: object.metadata.generation`, so that a reader knows which spec it is about.
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
  // The list as it was given, so that comparing says that nothing has changed.
  if (isSame(existing, wanted)) return conditions as Condition[];
  return all.with(index, wanted);
}

/** The conditions without the one of this type; the same list when there is none. */
export function removeStatusCondition(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition[] {
  if (!findStatusCondition(conditions, type)) return (conditions ?? []) as Condition[];
  return (conditions ?? []).filter((condition) => condition.type !== type);
}

/**
 * The condition of this type. Like the three below, it takes the conditions of any kind: a Deployment's and a Pod's have
 * fields of their own.
 */
export function findStatusCondition<C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isStatusConditionTrue(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, "True");
}

export function isStatusConditionFalse(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, "False");
}

/** False also when there is no such condition. */
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

/** metav1.Time has whole seconds. */
function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}
