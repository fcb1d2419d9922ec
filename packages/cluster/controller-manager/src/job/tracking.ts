import type { Job, Pod } from "@operator-path/client";
import { isBeingDeleted, uidOf } from "../objects.ts";
import { isActive, isReady, isTerminating } from "../pods.ts";
import type { JobStatus } from "./conditions.ts";
import { judgeFailure } from "./failure-policy.ts";
import { indexOf, parseIndexes } from "./indexes.ts";
import { completionsOf, isFailed, isIndexed, isTracked } from "./job-pod.ts";

/** A Job and its Pods as they are when it is looked at. `status` is a draft. */
export interface JobObservation {
  job: Job;
  status: JobStatus;
  pods: Pod[];
  active: Pod[];
  /** Pods that have ended since the last time, and are to be counted. */
  newlySucceeded: Pod[];
  newlyFailed: Pod[];
  /** Counted, and to be counted. Of an Indexed Job, indexes succeed and Pods fail. */
  succeeded: number;
  failed: number;
  succeededIndexes: number[];
  ready: number;
  terminating: number;
}

/**
 * Looks at a Job's Pods. A Pod that has ended is first written down in status.uncountedTerminatedPods, then it loses its
 * finalizer, and only then it is counted: whatever stops in between, none is counted twice or never. (KEP-2307.)
 */
export function observe(job: Job, pods: Pod[]): JobObservation {
  const status: JobStatus = structuredClone(job.status ?? {});
  status.uncountedTerminatedPods ??= {};
  absorb(status, new Set(pods.filter(isTracked).map(uidOf)));
  const completions = completionsOf(job);
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods;
  const isNew = (pod: Pod, counted: string[]) =>
    isTracked(pod) &&
    !counted.includes(uidOf(pod)) &&
    (!isIndexed(job) || indexOf(pod, completions) !== undefined);
  const newlySucceeded = pods.filter((pod) => pod.status?.phase === "Succeeded" && isNew(pod, succeeded));
  const newlyFailed = pods.filter((pod) => isFailed(job, pod) && isNew(pod, failed));
  const counting = newlyFailed.filter((pod) => judgeFailure(job, pod).counts);
  const active = pods.filter(isActive);
  const succeededIndexes = isIndexed(job)
    ? [
        ...new Set([
          ...parseIndexes(status.completedIndexes, completions),
          ...newlySucceeded.map((pod) => indexOf(pod, completions) as number),
        ]),
      ].sort((a, b) => a - b)
    : [];
  return {
    job,
    status,
    pods,
    active,
    newlySucceeded,
    newlyFailed,
    succeeded: isIndexed(job)
      ? succeededIndexes.length
      : (status.succeeded ?? 0) + succeeded.length + newlySucceeded.length,
    failed: (status.failed ?? 0) + failed.length + counting.length,
    succeededIndexes,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
  };
}

/** Counts the Pods that were written down and have lost their finalizer. */
export function absorb(status: JobStatus, tracked: ReadonlySet<string>): void {
  const uncounted = status.uncountedTerminatedPods;
  if (uncounted === undefined) return;
  for (const outcome of ["succeeded", "failed"] as const) {
    const before = uncounted[outcome] ?? [];
    const left = before.filter((uid) => tracked.has(uid));
    if (left.length === before.length) continue;
    status[outcome] = (status[outcome] ?? 0) + before.length - left.length;
    if (left.length > 0) uncounted[outcome] = left;
    else delete uncounted[outcome];
  }
}

/**
 * Writes down the Pods that are to be counted.
 * @returns those whose finalizer may go: what has ended, and all of a Job that has ended or is being deleted
 */
export function writeDown(observed: JobObservation, isEnding: boolean, hasFailed: boolean): Pod[] {
  const { job, status, pods } = observed;
  status.uncountedTerminatedPods ??= {};
  const uncounted = status.uncountedTerminatedPods;
  const completions = completionsOf(job);
  const released: Pod[] = [];
  for (const pod of pods.filter(isTracked)) {
    const failed = isFailed(job, pod);
    const succeeded = pod.status?.phase === "Succeeded";
    if (!(isBeingDeleted(job) || isEnding || succeeded || failed)) continue;
    released.push(pod);
    const uid = uidOf(pod);
    if (succeeded && !uncounted.failed?.includes(uid)) {
      if (!isIndexed(job) && !uncounted.succeeded?.includes(uid)) {
        uncounted.succeeded = [...(uncounted.succeeded ?? []), uid];
      }
    } else if (failed || hasFailed) {
      const isKnown = !isIndexed(job) || indexOf(pod, completions) !== undefined;
      if (isKnown && !uncounted.failed?.includes(uid) && judgeFailure(job, pod).counts) {
        uncounted.failed = [...(uncounted.failed ?? []), uid];
      }
    }
  }
  return released;
}
