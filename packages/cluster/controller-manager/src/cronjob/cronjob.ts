import { isDeepStrictEqual } from "node:util";
import {
  type Client,
  type CronJob,
  isAlreadyExists,
  isNotFound,
  type Job,
  type ObjectReference,
} from "@operator-path/client";
import {
  createWorkQueue,
  type EventRecorder,
  keyOf,
  splitKey,
  unwrapTombstone,
} from "@operator-path/informers";
import {
  type Controller,
  type ControllerContext,
  isNamespaceTerminating,
  messageOf,
  runController,
} from "../controller.ts";
import { ownedBy } from "../informers.ts";
import { findCondition, isFinished } from "../job/plan.ts";
import { createMutationCache, type MutationCache } from "../mutation-cache.ts";
import { compare, isBeingDeleted, nameOf, namespaceOf, timestamp, uidOf } from "../objects.ts";
import { controllerOf, controllerRef } from "../ownership.ts";
import { cronJobs, jobs } from "../resources.ts";
import { dueTime, formatIn, isTimeZone, parseSchedule, type Schedule } from "./schedule.ts";

type CronJobStatus = NonNullable<CronJob["status"]>;

/** Wakes up slightly after the schedule time rather than just before it. */
const slackMs = 100;

/** Starts Jobs on a schedule. (Kubernetes: pkg/controller/cronjob, cronjob_controllerv2.go.) */
export function createCronJobController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder("cronjob-controller");
  const queue = createWorkQueue<string>({ clock });
  const cronJobsWritten = createMutationCache(informers.cronJobs);
  const jobsWritten = createMutationCache(informers.jobs);
  const children = createChildJobs(client, recorder, jobsWritten);

  informers.cronJobs.addEventHandler({
    added: (cronJob) => queue.add(keyOf(cronJob)),
    updated: (_old, cronJob) => queue.add(keyOf(cronJob)),
  });
  const jobChanged = (job: Job) => {
    const controller = controllerOf(job);
    if (controller?.kind === cronJobs.kind) queue.add(`${namespaceOf(job)}/${controller.name}`);
  };
  informers.jobs.addEventHandler({
    added: jobChanged,
    updated: (_old, job) => jobChanged(job),
    deleted: (job) => jobChanged(unwrapTombstone(job)),
  });
  return runController(context, { name: "cronjob", queue, workers: 5, reconcile });

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const cached = informers.cronJobs.lister.namespace(namespace).get(name);
    const cronJob = cached && cronJobsWritten.latest(cached);
    if (cronJob === undefined) return;
    const known = jobsWritten.overlay(
      ownedBy(informers.jobs, cronJob),
      (job) => controllerOf(job)?.uid === uidOf(cronJob),
    );
    const status: CronJobStatus = structuredClone(cronJob.status ?? {});
    try {
      noteEnds(cronJob, status, known);
      await noteMissing(cronJob, status, known);
      await cleanUp(cronJob, known);
      if (!isBeingDeleted(cronJob)) await startIfDue(key, cronJob, status);
    } finally {
      await save(cronJob, status);
    }
  }

  function noteEnds(cronJob: CronJob, status: CronJobStatus, known: Job[]): void {
    for (const job of known) {
      const isActive = status.active?.some(({ uid }) => uid === uidOf(job)) ?? false;
      if (!isFinished(job)) {
        if (isActive) continue;
        const message = `Saw a job that the controller did not create or forgot: ${nameOf(job)}`;
        recorder.event(cronJob, "Warning", "UnexpectedJob", message);
        continue;
      }
      const succeeded = findCondition(job.status, "Complete") !== undefined;
      if (isActive) {
        const message = `Saw completed job: ${nameOf(job)}, condition: ${succeeded ? "Complete" : "Failed"}`;
        recorder.event(cronJob, "Normal", "SawCompletedJob", message);
        dropActive(status, uidOf(job));
      }
      const end = job.status?.completionTime;
      if (succeeded && end && end > (status.lastSuccessfulTime ?? "")) status.lastSuccessfulTime = end;
    }
  }

  async function noteMissing(cronJob: CronJob, status: CronJobStatus, known: Job[]): Promise<void> {
    for (const { name = "", uid = "" } of status.active ?? []) {
      if (known.some((job) => uidOf(job) === uid)) continue;
      const job = await client
        .resource(jobs)
        .namespace(namespaceOf(cronJob))
        .get(name)
        .catch((error) => {
          if (!isNotFound(error)) throw error;
        });
      if (job !== undefined) continue;
      recorder.event(cronJob, "Normal", "MissingJob", `Active job went missing: ${name}`);
      dropActive(status, uid);
    }
  }

  async function startIfDue(key: string, cronJob: CronJob, status: CronJobStatus): Promise<void> {
    const { timeZone, suspend, schedule: text = "", startingDeadlineSeconds } = cronJob.spec ?? {};
    const warn = (reason: string, message: string) => recorder.event(cronJob, "Warning", reason, message);
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      return warn(
        "UnknownTimeZone",
        `invalid timeZone: ${JSON.stringify(timeZone)}: unknown time zone ${timeZone}`,
      );
    }
    if (suspend) return;
    let schedule: Schedule;
    try {
      schedule = parseSchedule(text, timeZone);
    } catch (error) {
      return warn(
        "UnparseableSchedule",
        `unparseable schedule: ${JSON.stringify(text)} : ${messageOf(error)}`,
      );
    }
    const now = clock.now();
    const next = schedule.next(now);
    if (next !== undefined) queue.addAfter(key, next + slackMs - now);
    const { time, missedMany } = dueTime(cronJob, schedule, now);
    if (time === undefined) return;
    if (missedMany) {
      const advice = "Set or decrease .spec.startingDeadlineSeconds or check clock skew";
      warn("TooManyMissedTimes", `too many missed start times. ${advice}`);
    }
    if (startingDeadlineSeconds !== undefined && time + startingDeadlineSeconds * 1000 < now) {
      return warn("MissSchedule", `Missed scheduled time to start a job: ${rfc1123(time)}`);
    }
    if (Date.parse(status.lastScheduleTime ?? "") === time) return;
    await start(cronJob, status, time);
  }

  async function start(cronJob: CronJob, status: CronJobStatus, time: number): Promise<void> {
    const active = status.active ?? [];
    if (cronJob.spec?.concurrencyPolicy === "Forbid" && active.length > 0) {
      const why = "prior execution is running and concurrency policy is Forbid";
      recorder.event(cronJob, "Normal", "JobAlreadyActive", `Not starting job because ${why}`);
      return;
    }
    if (cronJob.spec?.concurrencyPolicy === "Replace") {
      for (const { name = "", uid = "" } of active) {
        await children.remove(cronJob, { metadata: { name, uid, namespace: namespaceOf(cronJob) } });
        dropActive(status, uid);
      }
    }
    const job = await children.create(cronJob, time);
    if (job === undefined) return;
    status.active = [...(status.active ?? []).filter(({ uid }) => uid !== uidOf(job)), referenceTo(job)];
    status.lastScheduleTime = timestamp(time);
  }

  /** Deletes finished Jobs above the history limits. */
  async function cleanUp(cronJob: CronJob, known: Job[]): Promise<void> {
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = cronJob.spec ?? {};
    const ended = known.filter((job) => !isBeingDeleted(job)).sort(byStartTime);
    for (const [type, limit] of [
      ["Complete", successfulJobsHistoryLimit],
      ["Failed", failedJobsHistoryLimit],
    ] as const) {
      const some = ended.filter((job) => findCondition(job.status, type) !== undefined);
      for (const job of some.slice(0, Math.max(0, some.length - limit))) await children.remove(cronJob, job);
    }
  }

  async function save(cronJob: CronJob, status: CronJobStatus): Promise<void> {
    if (status.active?.length === 0) delete status.active;
    if (isDeepStrictEqual(status, cronJob.status ?? {})) return;
    const saved = await client
      .resource(cronJobs)
      .namespace(namespaceOf(cronJob))
      .updateStatus({ ...cronJob, status });
    cronJobsWritten.written(saved);
  }
}

function dropActive(status: CronJobStatus, gone: string): void {
  status.active = (status.active ?? []).filter(({ uid }) => uid !== gone);
}

function referenceTo(job: Job): ObjectReference {
  const { resourceVersion } = job.metadata ?? {};
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    name: nameOf(job),
    namespace: namespaceOf(job),
    ...(resourceVersion !== undefined && { resourceVersion }),
    uid: uidOf(job),
  };
}

function byStartTime(a: Job, b: Job): number {
  return (
    compare(a.status?.startTime ?? "9999", b.status?.startTime ?? "9999") || compare(nameOf(a), nameOf(b))
  );
}

/** Sat, 21 Nov 2026 09:00:00 +0000 */
function rfc1123(time: number): string {
  return new Date(time).toUTCString().replace("GMT", "+0000");
}

const scheduledTimestampAnnotation = "batch.kubernetes.io/cronjob-scheduled-timestamp";

/** Writes to a CronJob's Jobs, and records the Events. */
interface ChildJobs {
  /**
   * Creates the Job of a scheduled time (milliseconds since the epoch). The Job is named after that minute,
   * so a second call creates no second Job. Returns undefined if a finished Job or another owner's Job has
   * the name.
   */
  create(cronJob: CronJob, time: number): Promise<Job | undefined>;
  /** Deletes a Job and its Pods. */
  remove(cronJob: CronJob, job: Job): Promise<void>;
}

function createChildJobs(
  client: Client,
  recorder: EventRecorder,
  jobsWritten: MutationCache<Job>,
): ChildJobs {
  return {
    async create(cronJob, time) {
      const { jobTemplate, timeZone } = cronJob.spec ?? {};
      const inNamespace = client.resource(jobs).namespace(namespaceOf(cronJob));
      const name = `${nameOf(cronJob)}-${Math.floor(time / 60_000)}`;
      const { labels, annotations } = jobTemplate?.metadata ?? {};
      const job: Job = {
        metadata: {
          name,
          namespace: namespaceOf(cronJob),
          ...(labels && { labels }),
          annotations: { ...annotations, [scheduledTimestampAnnotation]: formatIn(time, timeZone) },
          ownerReferences: [controllerRef(cronJob, cronJobs)],
        },
        ...(jobTemplate?.spec && { spec: jobTemplate.spec }),
      };
      try {
        const created = await inNamespace.create(job);
        jobsWritten.written(created);
        recorder.event(cronJob, "Normal", "SuccessfulCreate", `Created job ${name}`);
        return created;
      } catch (error) {
        if (isAlreadyExists(error)) {
          const existing = await inNamespace.get(name);
          return controllerOf(existing)?.uid === uidOf(cronJob) && !isFinished(existing)
            ? existing
            : undefined;
        }
        if (!isNamespaceTerminating(error)) {
          recorder.event(cronJob, "Warning", "FailedCreate", `Error creating job: ${messageOf(error)}`);
        }
        throw error;
      }
    },

    async remove(cronJob, job) {
      const preconditions = { uid: uidOf(job) };
      try {
        const inNamespace = client.resource(jobs).namespace(namespaceOf(cronJob));
        await inNamespace.delete(nameOf(job), { propagationPolicy: "Background", preconditions });
      } catch (error) {
        if (isNotFound(error)) return;
        recorder.event(cronJob, "Warning", "FailedDelete", `Deleted job: ${messageOf(error)}`);
        throw error;
      }
      jobsWritten.removed(job);
      recorder.event(cronJob, "Normal", "SuccessfulDelete", `Deleted job ${nameOf(job)}`);
    },
  };
}
