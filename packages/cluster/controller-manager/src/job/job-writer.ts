import { type Client, isConflict, isNotFound, type Job, type Pod, pods } from "@operator-path/client";
import type { EventRecorder } from "@operator-path/informers";
import { isNamespaceTerminating } from "../controller.ts";
import { messageOf } from "../error-message.ts";
import type { MutationCache } from "../mutation-cache.ts";
import { nameOf, namespaceOf, uidOf } from "../objects.ts";
import { slowStart } from "../slow-start.ts";
import { isTracked, jobPod, trackingFinalizer } from "./job-pod.ts";

/** What the Job controller does to Pods, with the Events that tell of it. */
export interface JobPodWriter {
  /** @param indexes one for each Pod; undefined for a Job that is not Indexed */
  create(job: Job, indexes: (number | undefined)[]): Promise<void>;
  remove(job: Job, pod: Pod): Promise<void>;
  /** Takes the tracking finalizer off. */
  release(pod: Pod): Promise<void>;
}

export function createJobPodWriter(
  client: Client,
  recorder: EventRecorder,
  written: MutationCache<Pod>,
): JobPodWriter {
  return {
    async create(job, indexes) {
      const left = [...indexes];
      const { error } = await slowStart(indexes.length, async () => {
        try {
          const pod = jobPod(job, left.shift());
          const created = await client.resource(pods).namespace(namespaceOf(job)).create(pod);
          written.written(created);
          recorder.event(job, "Normal", "SuccessfulCreate", `Created pod: ${nameOf(created)}`);
        } catch (error) {
          if (!isNamespaceTerminating(error)) {
            recorder.event(job, "Warning", "FailedCreate", `Error creating: ${messageOf(error)}`);
          }
          throw error;
        }
      });
      if (error !== undefined) throw error;
    },

    async remove(job, pod) {
      const preconditions = { uid: uidOf(pod) };
      try {
        const last = await client
          .resource(pods)
          .namespace(namespaceOf(pod))
          .delete(nameOf(pod), { preconditions });
        if (last.kind === "Pod") written.written(last as Pod);
        else written.removed(pod);
        recorder.event(job, "Normal", "SuccessfulDelete", `Deleted pod: ${nameOf(pod)}`);
      } catch (error) {
        if (isNotFound(error) || isConflict(error)) return;
        recorder.event(job, "Warning", "FailedDelete", `Error deleting: ${messageOf(error)}`);
        throw error;
      }
    },

    async release(pod) {
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
    },
  };
}
