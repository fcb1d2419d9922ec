import type { Pod, StatefulSet } from "@operator-path/client";
import { isBeingDeleted } from "../objects.ts";
import { isReady, millisecondsUntilAvailable } from "../pods.ts";
import { desiredReplicas, nonZero } from "../replicas.ts";
import { podRevision } from "./identity.ts";

export type StatefulSetStatus = NonNullable<StatefulSet["status"]>;

export interface Revisions {
  /** Names of ControllerRevisions. */
  current: string;
  update: string;
  collisionCount: number;
}

function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === "Running" && isReady(pod);
}

/** Ready for as long as the StatefulSet asks for, and not on its way out. */
export function isAvailable(set: StatefulSet, pod: Pod, now: number): boolean {
  return (
    isRunningAndReady(pod) &&
    !isBeingDeleted(pod) &&
    millisecondsUntilAvailable(pod, set.spec?.minReadySeconds ?? 0, now) === 0
  );
}

/** The status that describes what was observed, the end of a rollout included. */
export function statefulSetStatus(
  set: StatefulSet,
  pods: Pod[],
  { current, update, collisionCount }: Revisions,
  now: number,
): StatefulSetStatus {
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const ready = pods.filter(isRunningAndReady);
  const available = ready.filter((pod) => millisecondsUntilAvailable(pod, minReadySeconds, now) === 0);
  const staying = pods.filter((pod) => !isBeingDeleted(pod));
  const atRevision = (revision: string) => staying.filter((pod) => podRevision(pod) === revision).length;
  const updated = atRevision(update);
  const wanted = desiredReplicas(set);
  const isComplete =
    set.spec?.updateStrategy?.type === "RollingUpdate" &&
    updated === wanted &&
    pods.length === wanted &&
    ready.length === wanted;
  return {
    ...nonZero("observedGeneration", set.metadata?.generation),
    replicas: pods.length,
    ...nonZero("readyReplicas", ready.length),
    ...nonZero("currentReplicas", isComplete ? updated : atRevision(current)),
    ...nonZero("updatedReplicas", updated),
    currentRevision: isComplete ? update : current,
    updateRevision: update,
    collisionCount,
    availableReplicas: available.length,
  };
}
