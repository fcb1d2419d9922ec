import { type Client, isConflict, isNotFound, type KubeObject, type Pod, pods } from "@operator-path/client";
import type { EventRecorder } from "@operator-path/informers";
import { isNamespaceTerminating } from "./controller.ts";
import { messageOf } from "./error-message.ts";
import type { MutationCache } from "./mutation-cache.ts";
import { nameOf, namespaceOf, uidOf } from "./objects.ts";
import { slowStart } from "./slow-start.ts";

/** What a controller does to the Pods of an owner, with the Events that tell of it. (Kubernetes: controller.RealPodControl.) */
export interface PodControl {
  /** A Pod for each item, in the owner's namespace: few at first, more while that goes well. */
  create<T>(owner: KubeObject, items: readonly T[], podOf: (item: T) => Pod): Promise<void>;
  /** A Pod that is gone, or another one by now, counts as removed. */
  remove(owner: KubeObject, pod: Pod): Promise<void>;
}

/**
 * Deletes this very Pod, and not another one of its name; the cache is told what became of it.
 *
 * @throws ApiError: not found when it is gone, a conflict when its name is another's by now
 */
export async function deletePod(client: Client, pod: Pod, written: MutationCache<Pod>): Promise<void> {
  const preconditions = { uid: uidOf(pod) };
  const last = await client.resource(pods).namespace(namespaceOf(pod)).delete(nameOf(pod), { preconditions });
  if (last.kind === "Pod") written.written(last as Pod);
  else written.removed(pod);
}

export function createPodControl(
  client: Client,
  recorder: EventRecorder,
  written: MutationCache<Pod>,
): PodControl {
  return {
    async create(owner, items, podOf) {
      const left = items.values();
      const { error } = await slowStart(items.length, async () => {
        const next = left.next();
        if (next.done) return;
        try {
          const pod = podOf(next.value);
          const created = await client.resource(pods).namespace(namespaceOf(owner)).create(pod);
          written.written(created);
          recorder.event(owner, "Normal", "SuccessfulCreate", `Created pod: ${nameOf(created)}`);
        } catch (error) {
          if (!isNamespaceTerminating(error)) {
            recorder.event(owner, "Warning", "FailedCreate", `Error creating: ${messageOf(error)}`);
          }
          throw error;
        }
      });
      if (error !== undefined) throw error;
    },

    async remove(owner, pod) {
      try {
        await deletePod(client, pod, written);
        recorder.event(owner, "Normal", "SuccessfulDelete", `Deleted pod: ${nameOf(pod)}`);
      } catch (error) {
        if (isNotFound(error) || isConflict(error)) return;
        recorder.event(owner, "Warning", "FailedDelete", `Error deleting: ${messageOf(error)}`);
        throw error;
      }
    },
  };
}
