import { type Client, type CronJob, isAlreadyExists, isNotFound, type Job } from "@operator-path/client";
import type { EventRecorder } from "@operator-path/informers";
import { isNamespaceTerminating } from "../controller.ts";
import { messageOf } from "../error-message.ts";
import { isFinished } from "../job/conditions.ts";
import type { MutationCache } from "../mutation-cache.ts";
import { nameOf, namespaceOf, uidOf } from "../objects.ts";
import { controllerOf, controllerRef } from "../ownership.ts";
import { cronJobs, jobs } from "../resources.ts";
import { formatIn } from "./schedule.ts";

const scheduledTimestampAnnotation = "batch.kubernetes.io/cronjob-scheduled-timestamp";

/** What a CronJob does to its Jobs, with the Events that tell of it. */
export interface ChildJobs {
  /**
   * Creates the Job of a time (milliseconds since the epoch). It is named after its minute: whoever asks twice gets it
   * once. Undefined when there is one already that has ended, or is somebody else's.
   */
  create(cronJob: CronJob, time: number): Promise<Job | undefined>;
  /** Deletes a Job, its Pods included. */
  remove(cronJob: CronJob, job: Job): Promise<void>;
}

export function createChildJobs(
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
