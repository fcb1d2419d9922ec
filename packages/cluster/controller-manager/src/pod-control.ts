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

/** Creates and deletes an owner's Pods, and records the Events. (Kubernetes: controller.RealPodControl.) */
interface PodControl {
  /** Creates one Pod per item in the owner's namespace, in batches that grow while they succeed. */
  create<T>(owner: KubeObject, items: readonly T[], podOf: (item: T) => Pod): Promise<void>;
  /** A deleted Pod, or one that another Pod has replaced, counts as removed. */
  remove(owner: KubeObject, pod: Pod): Promise<void>;
}

/**
 * Deletes this Pod, with its uid as a precondition, and records the result in the cache.
 *
 * @throws ApiError: not found if it is already deleted, a conflict if another Pod has its name
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

/** Builds a Pod from a workload's template, owned by the workload, with a generated name. */
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

/** Returns "name-" if names generated from it are valid. Five characters follow. */
function podNamePrefix(owner: KubeObject): string {
  const prefix = `${nameOf(owner)}-`;
  return prefix.length <= 248 ? prefix : nameOf(owner);
}

/**
 * Calls `create` `count` times in parallel batches of 1, 2, 4, … and stops after the first batch with a
 * failure. Whatever rejects one of a thousand Pods, such as a quota or an invalid template, rejects all of
 * them. The API server then receives one or two such requests instead of a thousand.
 *
 * Resolves with the number of successful calls and the first error, after all calls of the batch have ended.
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
