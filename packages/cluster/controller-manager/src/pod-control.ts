import {
  type Client,
  isConflict,
  isNotFound,
  type KubeObject,
  type Pod,
  type PodTemplateSpec,
  pods,
  type Resource,
} from "@operator-path/client";
import type { EventRecorder } from "@operator-path/informers";
import { isNamespaceTerminating, messageOf } from "./controller.ts";
import type { MutationCache } from "./mutation-cache.ts";
import { nameOf, namespaceOf, uidOf } from "./objects.ts";
import { controllerRef } from "./ownership.ts";

/** What a controller does to the Pods of an owner, with the Events that tell of it. (Kubernetes: controller.RealPodControl.) */
interface PodControl {
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

/** The Pod that a workload's template asks for, owned by the workload, with a generated name. */
export function podFromTemplate(
  template: PodTemplateSpec | undefined,
  owner: KubeObject,
  ownerResource: Resource,
): Pod {
  const { labels, annotations, finalizers } = template?.metadata ?? {};
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: podNamePrefix(owner),
      namespace: namespaceOf(owner),
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
      ...(finalizers && { finalizers: [...finalizers] }),
      ownerReferences: [controllerRef(owner, ownerResource)],
    },
    ...(template?.spec && { spec: template.spec }),
  };
}

/** "name-", as long as names made from it are valid: what follows is five characters. */
function podNamePrefix(owner: KubeObject): string {
  const prefix = `${nameOf(owner)}-`;
  return prefix.length <= 248 ? prefix : nameOf(owner);
}

/**
 * Calls `create` `count` times, in parallel batches of 1, 2, 4, … and stops after the first batch in which a call failed.
 * Whatever refuses one of a thousand Pods (a quota, an invalid template) refuses all of them: this way the API server
 * hears of it once or twice, not a thousand times.
 *
 * Resolves with the number of calls that succeeded, and the first error; calls of the failed batch are waited for.
 */
export async function slowStart(
  count: number,
  create: () => Promise<void>,
): Promise<{ succeeded: number; error?: unknown }> {
  let succeeded = 0;
  for (let batch = Math.min(count, 1); batch > 0; batch = Math.min(2 * batch, count - succeeded)) {
    const results = await Promise.allSettled(Array.from({ length: batch }, create));
    const failure = results.find((result) => result.status === "rejected");
    succeeded += results.filter((result) => result.status === "fulfilled").length;
    if (failure !== undefined) return { succeeded, error: failure.reason };
  }
  return { succeeded };
}
