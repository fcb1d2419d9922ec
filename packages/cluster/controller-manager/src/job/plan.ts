import type { EnvVar, Job, Pod } from "@operator-path/client";
import { keyOf } from "@operator-path/informers";
import { isBeingDeleted, nameOf, timestamp, uidOf } from "../objects.ts";
import { podFromTemplate } from "../pod-control.ts";
import { isActive, isReady, isTerminal, isTerminating } from "../pods.ts";
import { jobs } from "../resources.ts";

/**
 * Returns why a Job ends now, before it has all completions: a condition SuccessCriteriaMet or FailureTarget.
 * The final condition follows when the last Pod has finished. Returns undefined if the Job continues.
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

/**
 * Returns the milliseconds until spec.activeDeadlineSeconds expires. Returns undefined if there is no
 * deadline, or the Job is suspended or not started.
 */
export function deadlineIn({ job, status }: JobObservation, now: number): number | undefined {
  const seconds = job.spec?.activeDeadlineSeconds;
  if (seconds === undefined || status.startTime === undefined || isSuspended(job)) return undefined;
  return Math.max(0, Date.parse(status.startTime) + seconds * 1000 - now);
}

/** With restartPolicy OnFailure, container restarts count towards backoffLimit. */
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

/** Returns how many Pods should run now. */
export function wantedActive({ job, active, succeeded }: JobObservation): number {
  const parallelism = job.spec?.parallelism ?? 1;
  if (isSuspended(job)) return 0;
  if (job.spec?.completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, job.spec.completions - succeeded));
}

/** Returns the missing Pods: one entry each, with the completion index for an Indexed Job. */
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

/** Whether all requested completions have succeeded. */
export function isComplete({ job, succeeded }: JobObservation, active: number): boolean {
  const completions = job.spec?.completions;
  return active === 0 && (completions === undefined ? succeeded > 0 : succeeded >= completions);
}

/** A Job and its Pods at one moment. `status` is a draft. */
export interface JobObservation {
  job: Job;
  status: JobStatus;
  pods: Pod[];
  active: Pod[];
  /** Pods that have finished since the last status and must be counted. */
  newlySucceeded: Pod[];
  newlyFailed: Pod[];
  /**
   * The counted Pods plus those that must be counted. In an Indexed Job, `succeeded` counts indexes and
   * `failed` counts Pods.
   */
  succeeded: number;
  failed: number;
  succeededIndexes: number[];
  ready: number;
  terminating: number;
}

/**
 * Evaluates a Job's Pods. A finished Pod is first recorded in status.uncountedTerminatedPods, then loses its
 * finalizer, and only then is counted. A crash in between neither loses a Pod nor counts it twice.
 * (KEP-2307.)
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

/** Counts the recorded Pods that have lost their finalizer. */
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
 * Records the Pods that must be counted.
 *
 * @returns the Pods whose finalizer may be removed: finished ones, and all Pods of a Job that has ended or is
 * being deleted
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

type Rule = NonNullable<NonNullable<NonNullable<Job["spec"]>["podFailurePolicy"]>["rules"]>[number];

interface FailureVerdict {
  /** Whether the failure counts towards backoffLimit. */
  counts: boolean;
  /** The message with which the whole Job fails, if it does. */
  jobFailure?: string;
}

/** Applies spec.podFailurePolicy to a failed Pod. The first matching rule decides. (KEP-3329.) */
function judgeFailure(job: Job, pod: Pod): FailureVerdict {
  const rules = job.spec?.podFailurePolicy?.rules ?? [];
  for (const [index, rule] of rules.entries()) {
    const match = matchRule(rule, pod);
    if (match === undefined) continue;
    if (rule.action === "Ignore") return { counts: false };
    if (rule.action === "FailJob") {
      return { counts: true, jobFailure: `${match} matching ${rule.action} rule at index ${index}` };
    }
    return { counts: true };
  }
  return { counts: true };
}

/** Describes what a rule matched, or returns undefined. */
function matchRule(rule: Rule, pod: Pod): string | undefined {
  const name = keyOf(pod);
  if (rule.onExitCodes) {
    const { containerName, operator, values } = rule.onExitCodes;
    const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
    const failed = statuses.find((status) => {
      const code = status.state?.terminated?.exitCode ?? 0;
      if (code === 0 || (containerName !== undefined && containerName !== status.name)) return false;
      return operator === "In" ? values.includes(code) : !values.includes(code);
    });
    if (failed === undefined) return undefined;
    return `Container ${failed.name} for pod ${name} failed with exit code ${failed.state?.terminated?.exitCode}`;
  }
  const conditions = pod.status?.conditions ?? [];
  const pattern = (rule.onPodConditions ?? []).find(({ type, status = "True" }) =>
    conditions.some((condition) => condition.type === type && condition.status === status),
  );
  return pattern && `Pod ${name} has condition ${pattern.type}`;
}

/** Returns why an Indexed Job has succeeded before all its indexes have, or undefined. (KEP-3998.) */
function matchSuccessPolicy(job: Job, succeeded: number[]): string | undefined {
  const completions = job.spec?.completions ?? 0;
  for (const [index, rule] of (job.spec?.successPolicy?.rules ?? []).entries()) {
    const wanted =
      rule.succeededIndexes === undefined ? undefined : parseIndexes(rule.succeededIndexes, completions);
    const met = wanted === undefined ? succeeded : succeeded.filter((one) => wanted.includes(one));
    const needed = rule.succeededCount ?? wanted?.length ?? completions;
    if (met.length >= needed) return `Matched rules at index ${index}`;
  }
  return undefined;
}

const completionIndexKey = "batch.kubernetes.io/job-completion-index";

/** Returns the completion index of a Pod, or undefined if it has no valid one. */
function indexOf(pod: Pod, completions: number): number | undefined {
  const text = pod.metadata?.annotations?.[completionIndexKey];
  const index = text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
  return index !== undefined && index < completions ? index : undefined;
}

/** Parses "1,3-5,7" to a sorted list. Skips invalid parts. */
export function parseIndexes(text: string | undefined, completions: number): number[] {
  const indexes = new Set<number>();
  for (const part of (text ?? "").split(",")) {
    const [first, last = first] = part.split("-").map(Number);
    if (part === "" || first === undefined || last === undefined || Number.isNaN(first + last)) continue;
    for (let index = first; index <= last && index < completions; index++) indexes.add(index);
  }
  return [...indexes].sort((a, b) => a - b);
}

/** Formats indexes. Two neighbours are listed, and three or more become an interval: "0,1,3-5". */
export function formatIndexes(indexes: number[]): string {
  const sorted = [...new Set(indexes)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (sorted[end + 1] === (sorted[end] as number) + 1) end++;
    if (end === start) parts.push(`${sorted[start]}`);
    else parts.push(`${sorted[start]}${end - start === 1 ? "," : "-"}${sorted[end]}`);
    start = end + 1;
  }
  return parts.join(",");
}

export type JobStatus = NonNullable<Job["status"]>;
export type JobCondition = NonNullable<JobStatus["conditions"]>[number];

export function newCondition(
  type: string,
  reason: string,
  message: string,
  now: number,
  status = "True",
): JobCondition {
  const time = timestamp(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

export function findCondition(status: JobStatus | undefined, type: string): JobCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type && condition.status === "True");
}

export function isFinished({ status }: Job): boolean {
  return findCondition(status, "Complete") !== undefined || findCondition(status, "Failed") !== undefined;
}

/** Updates the Suspended condition. Returns whether it changed. */
export function noteSuspension(status: JobStatus, isSuspended: boolean, now: number): boolean {
  const existing = status.conditions?.find(({ type }) => type === "Suspended");
  const wanted = isSuspended ? "True" : "False";
  if (existing === undefined ? !isSuspended : existing.status === wanted) return false;
  const condition = isSuspended
    ? newCondition("Suspended", "JobSuspended", "Job suspended", now)
    : newCondition("Suspended", "JobResumed", "Job resumed", now, "False");
  status.conditions = [...(status.conditions ?? []).filter(({ type }) => type !== "Suspended"), condition];
  return true;
}

/** Keeps a finished Pod until its Job has counted it. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

export function isTracked(pod: Pod): boolean {
  return pod.metadata?.finalizers?.includes(trackingFinalizer) ?? false;
}

/** A terminating Pod counts as failed, unless the Job replaces Pods only after they have failed. */
function isFailed(job: Job, pod: Pod): boolean {
  if (pod.status?.phase === "Failed") return true;
  if (replacesOnlyFailed(job)) return false;
  return isBeingDeleted(pod) && !isTerminal(pod);
}

function replacesOnlyFailed({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === "Failed";
}

export function isSuspended({ spec }: Job): boolean {
  return spec?.suspend === true;
}

export function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === "Indexed";
}

function completionsOf({ spec }: Job): number {
  return spec?.completions ?? Number.POSITIVE_INFINITY;
}

/**
 * Builds a Pod of a Job.
 *
 * @param index the completion index, or undefined if the Job is not Indexed
 */
export function jobPod(job: Job, index: number | undefined): Pod {
  const pod = podFromTemplate(job.spec?.template, job, jobs);
  const finalizers = [...new Set([...(pod.metadata?.finalizers ?? []), trackingFinalizer])];
  if (index === undefined) return { ...pod, metadata: { ...pod.metadata, finalizers } };
  const { containers = [], initContainers, ...spec } = pod.spec ?? { containers: [] };
  const hostname = `${nameOf(job)}-${index}`;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generateName: `${hostname.slice(0, 247)}-`,
      finalizers,
      labels: { ...pod.metadata?.labels, [completionIndexKey]: String(index) },
      annotations: { ...pod.metadata?.annotations, [completionIndexKey]: String(index) },
    },
    spec: {
      ...spec,
      ...(initContainers && { initContainers: initContainers.map(withIndexVariable) }),
      containers: containers.map(withIndexVariable),
      hostname,
    },
  };
}

function withIndexVariable<C extends { env?: EnvVar[] }>(container: C): C {
  const name = "JOB_COMPLETION_INDEX";
  if (container.env?.some((variable) => variable.name === name)) return container;
  const fieldPath = `metadata.labels['${completionIndexKey}']`;
  return { ...container, env: [...(container.env ?? []), { name, valueFrom: { fieldRef: { fieldPath } } }] };
}
