import { isDeepStrictEqual } from "node:util";
import { type Client, isConflict, isNotFound, type Job, type Pod, pods } from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { ownedBy, ownedOrOrphaned } from "../informers.ts";
import { createMutationCache, type MutationCache } from "../mutation-cache.ts";
import { isBeingDeleted, nameOf, namespaceOf, timestamp, uidOf } from "../objects.ts";
import { claim, controllerOf, selects } from "../ownership.ts";
import { createPodControl } from "../pod-control.ts";
import { chooseVictims } from "../pods.ts";
import { jobs } from "../resources.ts";
import {
  absorb,
  deadlineIn,
  endOf,
  findCondition,
  formatIndexes,
  isComplete,
  isFinished,
  isIndexed,
  isSuspended,
  isTracked,
  type JobCondition,
  type JobObservation,
  type JobStatus,
  jobPod,
  missingPods,
  newCondition,
  noteSuspension,
  observe,
  trackingFinalizer,
  wantedActive,
  writeDown,
} from "./plan.ts";

/** The maximum of Pods created per reconcile. */
const burst = 500;

/**
 * Runs Pods until enough of them have succeeded. (Kubernetes: pkg/controller/job, without
 * backoffLimitPerIndex.)
 */
export function createJobController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder("job-controller");
  const queue = createWorkQueue<string>({ clock });
  const podsWritten = createMutationCache(informers.pods);
  const jobsWritten = createMutationCache(informers.jobs);
  const podControl = createPodControl(client, recorder, podsWritten);
  const release = (pod: Pod) => releasePod(client, podsWritten, pod);
  const backoff = createPodBackoff();

  informers.jobs.addEventHandler({
    added: (job) => queue.add(keyOf(job)),
    updated: (_old, job) => queue.add(keyOf(job)),
    deleted: (job) => queue.add(keyOf(unwrapTombstone(job))),
  });
  informers.pods.addEventHandler({
    added: podChanged,
    updated(old, pod) {
      if (controllerOf(old)?.uid !== controllerOf(pod)?.uid) podChanged(old);
      podChanged(pod);
    },
    deleted: (pod) => podChanged(unwrapTombstone(pod)),
  });
  return runController(context, { name: "job", queue, workers: 5, reconcile });

  function podChanged(pod: Pod): void {
    const controller = controllerOf(pod);
    if (controller?.kind === jobs.kind) queue.add(`${namespaceOf(pod)}/${controller.name}`);
    else if (controller === undefined) {
      const inNamespace = informers.jobs.lister.namespace(namespaceOf(pod));
      for (const job of inNamespace.list()) if (selects(job, pod)) queue.add(keyOf(job));
    }
  }

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const cached = informers.jobs.lister.namespace(namespace).get(name);
    const job = cached && jobsWritten.latest(cached);
    await releaseOrphans(namespace, name, job);
    if (job === undefined) return backoff.forget(key);
    if (job.spec?.managedBy && job.spec.managedBy !== "kubernetes.io/job-controller") return;
    if (isFinished(job)) return backoff.forget(key);

    const observed = observe(job, await ownPods(job));
    const { status } = observed;
    const now = clock.now();
    if (status.startTime === undefined && !isSuspended(job)) status.startTime = timestamp(now);
    backoff.ended(key, observed.newlySucceeded, observed.newlyFailed, now);

    let end = endOf(observed, now);
    let failure: unknown;
    try {
      if (end !== undefined) await removeAll(observed);
      else if (!isBeingDeleted(job)) await manage(key, observed);
    } catch (error) {
      // If the Job ended now, Pods that still run would be counted as finished.
      end = undefined;
      failure = error;
    }
    const after = observe(job, ownedNow(job));
    if (end === undefined && failure === undefined && isComplete(observed, after.active.length)) {
      const message = "Reached expected number of succeeded pods";
      end = newCondition("SuccessCriteriaMet", "CompletionsReached", message, now);
    } else if (end === undefined && failure === undefined && !isBeingDeleted(job))
      suspendOrResume(job, status, now);

    setCount(status, "active", after.active.length);
    Object.assign(status, { ready: after.ready, terminating: after.terminating });
    await track(job, observed, end, after.terminating);
    if (failure !== undefined) throw failure;
    const deadline = end === undefined ? deadlineIn(observed, now) : undefined;
    if (deadline !== undefined) queue.addAfter(key, deadline);
  }

  async function ownPods(job: Job): Promise<Pod[]> {
    return claim({
      client,
      owner: job,
      ownerResource: jobs,
      resource: pods,
      matches: (pod) => selects(job, pod),
      candidates: podsWritten.overlay(ownedOrOrphaned(informers.pods, job), (pod) => isOwn(job, pod)),
    });
  }

  function ownedNow(job: Job): Pod[] {
    return podsWritten.overlay(ownedBy(informers.pods, job), (pod) => isOwn(job, pod));
  }

  async function removeAll({ job, active }: JobObservation): Promise<void> {
    await Promise.all(active.map((pod) => podControl.remove(job, pod)));
  }

  /** Creates missing Pods, with backoff after failures, or deletes surplus ones. */
  async function manage(key: string, observed: JobObservation): Promise<void> {
    const { job, active } = observed;
    const surplus = active.length - wantedActive(observed);
    if (surplus > 0) {
      const victims = chooseVictims(active, active, surplus, clock.now());
      // Removes the finalizer first: Pods deleted as surplus do not count.
      await Promise.all(victims.map((pod) => release(pod).then(() => podControl.remove(job, pod))));
      return;
    }
    const missing = missingPods(observed);
    if (missing.length === 0) return;
    const wait = backoff.remaining(key, clock.now());
    if (wait > 0) queue.addAfter(key, wait);
    else await podControl.create(job, missing.slice(0, burst), (index) => jobPod(job, index));
  }

  function suspendOrResume(job: Job, status: JobStatus, now: number): void {
    if (!noteSuspension(status, isSuspended(job), now)) return;
    if (isSuspended(job)) {
      recorder.event(job, "Normal", "Suspended", "Job suspended");
      delete status.startTime;
    } else {
      recorder.event(job, "Normal", "Resumed", "Job resumed");
      status.startTime = timestamp(now);
    }
  }

  /** Counts Pods in two steps (see `observe`). Finishes the Job when all are counted and none is left. */
  async function track(
    job: Job,
    observed: JobObservation,
    end: JobCondition | undefined,
    terminating: number,
  ) {
    const { status } = observed;
    const hasFailed = end?.type === "FailureTarget";
    const released = writeDown(observed, end !== undefined, hasFailed);
    if (isIndexed(job)) {
      setCount(status, "succeeded", observed.succeededIndexes.length);
      if (observed.succeededIndexes.length > 0)
        status.completedIndexes = formatIndexes(observed.succeededIndexes);
    }
    if (end !== undefined && findCondition(status, end.type) === undefined) {
      status.conditions = [...(status.conditions ?? []), end];
    }
    let saved = await save(job, status);
    await Promise.all(released.map((pod) => release(pod)));

    const next: JobStatus = structuredClone(saved.status ?? {});
    absorb(next, new Set(ownedNow(job).filter(isTracked).map(uidOf)));
    const { succeeded = [], failed = [] } = next.uncountedTerminatedPods ?? {};
    const isOver = end !== undefined && succeeded.length + failed.length === 0 && terminating === 0;
    if (isOver && end !== undefined) {
      const final = newCondition(
        hasFailed ? "Failed" : "Complete",
        end.reason ?? "",
        end.message ?? "",
        clock.now(),
      );
      next.conditions = [...(next.conditions ?? []), final];
      if (!hasFailed) next.completionTime = final.lastTransitionTime as string;
    }
    saved = await save(saved, next);
    if (isOver && end !== undefined) announceEnd(saved, end);
  }

  function announceEnd(job: Job, end: JobCondition): void {
    if (end.type === "FailureTarget") {
      recorder.event(job, "Warning", end.reason ?? "", end.message ?? "");
      return;
    }
    if ((job.status?.succeeded ?? 0) > (job.spec?.completions ?? Number.POSITIVE_INFINITY)) {
      const message = "Too many succeeded pods running after completion count reached";
      recorder.event(job, "Warning", "TooManySucceededPods", message);
    }
    recorder.event(job, "Normal", "Completed", "Job completed");
  }

  async function save(job: Job, status: JobStatus): Promise<Job> {
    if (isDeepStrictEqual(status, job.status)) return job;
    const saved = await client
      .resource(jobs)
      .namespace(namespaceOf(job))
      .updateStatus({ ...job, status });
    jobsWritten.written(saved);
    return saved;
  }

  /** Removes the finalizer of Pods whose Job is deleted or finished, even if another Job now has its name. */
  async function releaseOrphans(namespace: string, name: string, job: Job | undefined): Promise<void> {
    const orphans = informers.pods.lister
      .namespace(namespace)
      .list()
      .filter((pod) => {
        const controller = controllerOf(pod);
        if (!isTracked(pod) || controller?.kind !== jobs.kind || controller.name !== name) return false;
        return job === undefined || controller.uid !== uidOf(job) || isFinished(job);
      });
    if (orphans.length === 0) return;
    // The Pods may have reached the cache before their Job.
    const current = await client
      .resource(jobs)
      .namespace(namespace)
      .get(name)
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    const counted = current !== undefined && !isFinished(current) ? uidOf(current) : undefined;
    for (const pod of orphans) if (controllerOf(pod)?.uid !== counted) await release(pod);
  }
}

function isOwn(job: Job, pod: Pod): boolean {
  return controllerOf(pod)?.uid === uidOf(job);
}

/** The API server omits zeros. */
function setCount(status: JobStatus, field: "active" | "succeeded", count: number): void {
  if (count > 0) status[field] = count;
  else delete status[field];
}

/** Removes the tracking finalizer from a Pod, if present. */
async function releasePod(client: Client, written: MutationCache<Pod>, pod: Pod): Promise<void> {
  if (!isTracked(pod)) return;
  const patch = {
    metadata: { uid: uidOf(pod), "$deleteFromPrimitiveList/finalizers": [trackingFinalizer] },
  };
  try {
    const released = await client
      .resource(pods)
      .namespace(namespaceOf(pod))
      .patch(nameOf(pod), patch, { type: "strategic" });
    written.written(released);
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

const firstMs = 10_000;
const longestMs = 10 * 60_000;

/**
 * Delays the replacement of a Job's failed Pods: 10 s, 20 s, 40 s, … at most ten minutes. A success resets
 * it.
 */
interface PodBackoff {
  /** Reports finished Pods. Each Pod counts once. */
  ended(key: string, succeeded: Pod[], failed: Pod[], now: number): void;
  /** Returns the milliseconds until new Pods may be created. */
  remaining(key: string, now: number): number;
  forget(key: string): void;
}

export function createPodBackoff(): PodBackoff {
  const records = new Map<string, { failures: number; last: number; seen: Set<string> }>();
  return {
    ended(key, succeeded, failed, now) {
      const record = records.get(key) ?? { failures: 0, last: 0, seen: new Set<string>() };
      records.set(key, record);
      const fresh = [
        ...succeeded.map((pod) => ({ pod, failed: false })),
        ...failed.map((pod) => ({ pod, failed: true })),
      ].filter(({ pod }) => !record.seen.has(uidOf(pod)));
      fresh.sort((a, b) => finishedAt(a.pod, now) - finishedAt(b.pod, now));
      for (const { pod, failed } of fresh) {
        record.seen.add(uidOf(pod));
        record.failures = failed ? record.failures + 1 : 0;
        if (failed) record.last = Math.max(record.last, finishedAt(pod, now));
      }
    },
    remaining(key, now) {
      const record = records.get(key);
      if (record === undefined || record.failures === 0) return 0;
      // A failure in the future means that the clock was set back.
      record.last = Math.min(record.last, now);
      const delay = Math.min(longestMs, firstMs * 2 ** (record.failures - 1));
      return Math.max(0, record.last + delay - now);
    },
    forget: (key) => void records.delete(key),
  };
}

/** When the last container of a Pod finished, else when the Pod's deletion was requested, else now. */
function finishedAt({ metadata, status }: Pod, now: number): number {
  const times = (status?.containerStatuses ?? []).flatMap(({ state }) => {
    const time = Date.parse(state?.terminated?.finishedAt ?? "");
    return Number.isNaN(time) ? [] : [time];
  });
  if (times.length > 0) return Math.max(...times);
  const deleted = Date.parse(metadata?.deletionTimestamp ?? "");
  return Number.isNaN(deleted) ? now : Math.min(deleted, now);
}
