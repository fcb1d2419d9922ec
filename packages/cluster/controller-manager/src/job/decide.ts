import { findCondition, type JobCondition, newCondition } from "./conditions.ts";
import { judgeFailure } from "./failure-policy.ts";
import { indexOf } from "./indexes.ts";
import { completionsOf, isFailed, isIndexed, isSuspended, replacesOnlyFailed } from "./job-pod.ts";
import { matchSuccessPolicy } from "./success-policy.ts";
import type { JobObservation } from "./tracking.ts";

/**
 * Why a Job ends now, before its completions are there: a condition SuccessCriteriaMet or FailureTarget, whose final form
 * follows when the last Pod is gone. Undefined when it goes on.
 */
export function endOf(observed: JobObservation, now: number): JobCondition | undefined {
  const { job, status, pods } = observed;
  const begun = findCondition(status, "SuccessCriteriaMet") ?? findCondition(status, "FailureTarget");
  if (begun !== undefined) return begun;
  const fail = (reason: string, message: string) => newCondition("FailureTarget", reason, message, now);
  const verdict = pods
    .filter((pod) => isFailed(job, pod))
    .map((pod) => judgeFailure(job, pod).jobFailure)
    .find((message) => message !== undefined);
  if (verdict !== undefined) return fail("PodFailurePolicy", verdict);
  if (observed.failed > (job.spec?.backoffLimit ?? 6) || restartedTooOften(observed)) {
    return fail("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }
  if (deadlineIn(observed, now) === 0) {
    return fail("DeadlineExceeded", "Job was active longer than specified deadline");
  }
  const met = isIndexed(job) ? matchSuccessPolicy(job, observed.succeededIndexes) : undefined;
  return met === undefined ? undefined : newCondition("SuccessCriteriaMet", "SuccessPolicy", met, now);
}

/** Milliseconds until spec.activeDeadlineSeconds is over; undefined when there is none, or the clock stands still. */
export function deadlineIn({ job, status }: JobObservation, now: number): number | undefined {
  const seconds = job.spec?.activeDeadlineSeconds;
  if (seconds === undefined || status.startTime === undefined || isSuspended(job)) return undefined;
  return Math.max(0, Date.parse(status.startTime) + seconds * 1000 - now);
}

/** Containers that are restarted in place count too, where the Pod's restartPolicy is OnFailure. */
function restartedTooOften({ job, pods }: JobObservation): boolean {
  if (job.spec?.template?.spec?.restartPolicy !== "OnFailure") return false;
  const limit = job.spec.backoffLimit ?? 6;
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== "Running" && status?.phase !== "Pending") continue;
    const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
    for (const { restartCount } of statuses) restarts += restartCount;
  }
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** How many Pods are to run at once now. */
export function wantedActive({ job, active, succeeded }: JobObservation): number {
  const parallelism = job.spec?.parallelism ?? 1;
  if (isSuspended(job)) return 0;
  if (job.spec?.completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, job.spec.completions - succeeded));
}

/** How many Pods are missing, and of an Indexed Job which. */
export function missingPods(observed: JobObservation): (number | undefined)[] {
  const { job, active, pods } = observed;
  const waits = replacesOnlyFailed(job) ? observed.terminating : 0;
  const count = Math.max(0, wantedActive(observed) - active.length - waits);
  if (!isIndexed(job)) return Array.from({ length: count }, () => undefined);
  const completions = completionsOf(job);
  const busy = replacesOnlyFailed(job)
    ? pods.filter((pod) => !["Failed", "Succeeded"].includes(pod.status?.phase ?? ""))
    : active;
  const taken = new Set([...observed.succeededIndexes, ...busy.map((pod) => indexOf(pod, completions))]);
  const free: number[] = [];
  for (let index = 0; index < completions && free.length < count; index++)
    if (!taken.has(index)) free.push(index);
  return free;
}

/** Whether everything that was asked for has succeeded. */
export function isComplete({ job, succeeded }: JobObservation, active: number): boolean {
  const completions = job.spec?.completions;
  return active === 0 && (completions === undefined ? succeeded > 0 : succeeded >= completions);
}
