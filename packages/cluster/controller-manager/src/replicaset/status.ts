import type { Pod, ReplicaSet, ReplicaSetStatus } from "@operator-path/client";
import { timestamp } from "../objects.ts";
import { isReady, millisecondsUntilAvailable } from "../pods.ts";
import { desiredReplicas, nonZero } from "../replicas.ts";

type ReplicaSetCondition = NonNullable<ReplicaSetStatus["conditions"]>[number];

export interface ReplicaSetObservation {
  activePods: Pod[];
  terminatingPods: Pod[];
  /** What kept the controller from creating or deleting Pods. */
  failure?: unknown;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The status that describes what was observed. Counts of zero are left out as the API server leaves them out. */
export function replicaSetStatus(replicaSet: ReplicaSet, observed: ReplicaSetObservation): ReplicaSetStatus {
  const { activePods, terminatingPods, now } = observed;
  const minReadySeconds = replicaSet.spec?.minReadySeconds ?? 0;
  const templateLabels = Object.entries(replicaSet.spec?.template?.metadata?.labels ?? {});
  const fullyLabeled = activePods.filter((pod) =>
    templateLabels.every(([key, value]) => pod.metadata?.labels?.[key] === value),
  );
  const available = activePods.filter((pod) => millisecondsUntilAvailable(pod, minReadySeconds, now) === 0);
  const conditions = failureConditions(replicaSet, observed);

  return {
    replicas: activePods.length,
    ...nonZero("fullyLabeledReplicas", fullyLabeled.length),
    ...nonZero("readyReplicas", activePods.filter(isReady).length),
    ...nonZero("availableReplicas", available.length),
    terminatingReplicas: terminatingPods.length,
    ...nonZero("observedGeneration", replicaSet.metadata?.generation),
    ...(conditions.length > 0 && { conditions }),
  };
}

/** A condition that is there keeps its first message: the same failure, told again, is no news. */
function failureConditions(replicaSet: ReplicaSet, observed: ReplicaSetObservation): ReplicaSetCondition[] {
  const conditions = replicaSet.status?.conditions ?? [];
  const others = conditions.filter(({ type }) => type !== "ReplicaFailure");
  if (observed.failure === undefined) return others;
  const existing = conditions.find(({ type }) => type === "ReplicaFailure");
  if (existing !== undefined) return conditions;
  const tooFew = observed.activePods.length < desiredReplicas(replicaSet);
  const failure: ReplicaSetCondition = {
    type: "ReplicaFailure",
    status: "True",
    lastTransitionTime: timestamp(observed.now),
    reason: tooFew ? "FailedCreate" : "FailedDelete",
    message: observed.failure instanceof Error ? observed.failure.message : String(observed.failure),
  };
  return [...others, failure];
}
