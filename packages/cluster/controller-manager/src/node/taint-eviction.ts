import { isDeepStrictEqual } from "node:util";
import { isConflict, isNotFound, type Node, type Pod, pods, type Taint } from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { isBeingDeleted, nameOf, timestamp, uidOf } from "../objects.ts";
import { tolerates } from "../scheduler/place.ts";

/**
 * Deletes Pods from nodes with NoExecute taints that they do not tolerate, or tolerate for a limited time
 * (tolerationSeconds, which the API server sets to 300 for nodes that are not ready). If the taint disappears
 * in time, the Pod stays. (Kubernetes: pkg/controller/tainteviction.)
 */
export function createTaintEvictionController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder("taint-eviction-controller");
  const queue = createWorkQueue<string>({ clock });
  /** By uid: since when an eviction is pending, on the steady clock. */
  const dueSince = new Map<string, number>();

  informers.pods.addEventHandler({
    added: (pod) => enqueue(pod),
    updated(old, pod) {
      if (!isDeepStrictEqual(evictionView(old), evictionView(pod))) enqueue(pod);
    },
    deleted: (pod) => void dueSince.delete(uidOf(unwrapTombstone(pod))),
  });
  informers.nodes.addEventHandler({
    // A node may register with taints.
    added(node) {
      if (noExecute(node).length > 0) enqueueAllOn(node);
    },
    updated(old, node) {
      if (!isDeepStrictEqual(old.spec?.taints, node.spec?.taints)) enqueueAllOn(node);
    },
  });
  return runController(context, { name: "taint-eviction", queue, workers: 1, reconcile });

  function enqueueAllOn(node: Node): void {
    for (const pod of informers.pods.lister.list()) if (pod.spec?.nodeName === nameOf(node)) enqueue(pod);
  }

  function enqueue(pod: Pod): void {
    if (pod.spec?.nodeName) queue.add(keyOf(pod));
  }

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const pod = informers.pods.lister.namespace(namespace).get(name);
    if (pod === undefined || isBeingDeleted(pod)) return;
    const node = informers.nodes.lister.get(pod.spec?.nodeName ?? "");
    const patience = patienceMs(pod, noExecute(node));
    if (patience === Number.POSITIVE_INFINITY) return cancel(pod);
    const since = dueSince.get(uidOf(pod)) ?? clock.steady();
    dueSince.set(uidOf(pod), since);
    const wait = since + patience - clock.steady();
    if (wait > 0) return queue.addAfter(key, wait);
    await evict(pod);
    dueSince.delete(uidOf(pod));
  }

  function cancel(pod: Pod): void {
    if (!dueSince.delete(uidOf(pod))) return;
    recorder.event(pod, "Normal", "TaintManagerEviction", `Cancelling deletion of Pod ${keyOf(pod)}`);
  }

  async function evict(pod: Pod): Promise<void> {
    recorder.event(pod, "Normal", "TaintManagerEviction", `Marking for deletion Pod ${keyOf(pod)}`);
    const inNamespace = client.resource(pods).namespace(pod.metadata?.namespace ?? "");
    const condition = {
      type: "DisruptionTarget",
      status: "True",
      reason: "DeletionByTaintManager",
      message: "Taint manager: deleting due to NoExecute taint",
      lastTransitionTime: timestamp(clock.now()),
    };
    try {
      const patch = { metadata: { uid: uidOf(pod) }, status: { conditions: [condition] } };
      await inNamespace.patch(nameOf(pod), patch, { type: "strategic", subresource: "status" });
      await inNamespace.delete(nameOf(pod), { preconditions: { uid: uidOf(pod) } });
    } catch (error) {
      // Deleted, or replaced by another Pod of that name.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}

function noExecute(node: Node | undefined): Taint[] {
  return (node?.spec?.taints ?? []).filter(({ effect }) => effect === "NoExecute");
}

/** How long a Pod may stay on a node with these taints. 0 if it does not tolerate one of them. */
function patienceMs(pod: Pod, taints: Taint[]): number {
  let patience = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    const tolerating = (pod.spec?.tolerations ?? []).filter((toleration) => tolerates(toleration, taint));
    if (tolerating.length === 0) return 0;
    for (const { tolerationSeconds } of tolerating) {
      if (tolerationSeconds !== undefined)
        patience = Math.min(patience, Math.max(0, tolerationSeconds) * 1000);
    }
  }
  return patience;
}

function evictionView({ metadata, spec }: Pod) {
  return [metadata?.deletionTimestamp, spec?.nodeName, spec?.tolerations];
}
