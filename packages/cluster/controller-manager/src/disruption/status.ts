import type { Pod, PodDisruptionBudget } from "@operator-path/client";
import { scaledValue } from "../int-or-percent.ts";
import { isBeingDeleted, nameOf, timestamp } from "../objects.ts";
import { isReady } from "../pods.ts";

export type BudgetStatus = NonNullable<PodDisruptionBudget["status"]>;

/** How long an eviction that was allowed is believed to be under way. */
export const disruptionTimeoutMs = 2 * 60_000;

/** The evicted Pods of a budget that have not begun to end yet, and are still believed to. */
export function disruptedPods(budget: PodDisruptionBudget, pods: Pod[], now: number): Record<string, string> {
  const entries = Object.entries(budget.status?.disruptedPods ?? {}).filter(([name, since]) => {
    const pod = pods.find((candidate) => nameOf(candidate) === name);
    return pod !== undefined && !isBeingDeleted(pod) && Date.parse(since) + disruptionTimeoutMs > now;
  });
  return Object.fromEntries(entries);
}

/**
 * What a budget says about Pods as they are now.
 *
 * @param expected how many Pods their controllers want; only asked for when the budget is relative to it.
 */
export function budgetStatus(
  budget: PodDisruptionBudget,
  pods: Pod[],
  expected: number,
  now: number,
): BudgetStatus {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  const disrupted = disruptedPods(budget, pods, now);
  const desiredHealthy =
    maxUnavailable === undefined
      ? scaledValue(minAvailable ?? 0, expected, Math.ceil)
      : Math.max(0, expected - scaledValue(maxUnavailable, expected, Math.ceil));
  const currentHealthy = pods.filter(
    (pod) => isReady(pod) && !isBeingDeleted(pod) && disrupted[nameOf(pod)] === undefined,
  ).length;
  const disruptionsAllowed = expected <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  return {
    ...budget.status,
    currentHealthy,
    desiredHealthy,
    expectedPods: expected,
    disruptionsAllowed,
    observedGeneration: budget.metadata?.generation,
    ...{ disruptedPods: Object.keys(disrupted).length > 0 ? disrupted : undefined },
    conditions: withCondition(budget, {
      status: disruptionsAllowed > 0 ? "True" : "False",
      reason: disruptionsAllowed > 0 ? "SufficientPods" : "InsufficientPods",
      message: "",
      now,
      observedGeneration: budget.metadata?.generation,
    }),
  };
}

/** A budget that cannot be counted allows nothing. */
export function failedStatus(budget: PodDisruptionBudget, message: string, now: number): BudgetStatus {
  return {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...budget.status,
    disruptionsAllowed: 0,
    // What is asked for was not looked at: an older generation stands.
    conditions: withCondition(budget, {
      status: "False",
      reason: "SyncFailed",
      message,
      now,
      observedGeneration: budget.status?.observedGeneration,
    }),
  };
}

function withCondition(
  { status }: PodDisruptionBudget,
  wanted: {
    status: "True" | "False";
    reason: string;
    message: string;
    now: number;
    observedGeneration: number | undefined;
  },
): BudgetStatus["conditions"] {
  const { now, observedGeneration, ...condition } = wanted;
  const before = status?.conditions?.find(({ type }) => type === "DisruptionAllowed");
  const others = (status?.conditions ?? []).filter(({ type }) => type !== "DisruptionAllowed");
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : timestamp(now);
  return [
    ...others,
    {
      type: "DisruptionAllowed",
      ...condition,
      ...(observedGeneration !== undefined && { observedGeneration }),
      lastTransitionTime,
    },
  ];
}
