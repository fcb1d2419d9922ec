import { isDeepStrictEqual } from "node:util";
import {
  isConflict,
  isNotFound,
  type Node,
  type PersistentVolumeClaim,
  type Pod,
  type PodCondition,
  pods,
} from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { isBeingDeleted, nameOf, namespaceOf, timestamp, uidOf } from "../objects.ts";
import { isTerminal } from "../pods.ts";
import { persistentVolumeClaims } from "../resources.ts";
import { selectedNodeAnnotation } from "../volume/claims.ts";
import { hasClaims, place, podVolumes, volumesAreKnown } from "./place.ts";

const schedulerName = "default-scheduler";

/**
 * Binds Pods to nodes, one Pod at a time. A Pod that fits nowhere gets a PodScheduled condition and an Event.
 * It is retried when a node or the Pods on the nodes change. Ignores Pods that already name a node, or
 * another scheduler. (Kubernetes: kube-scheduler, without priorities and preemption.)
 */
export function createScheduler(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder(schedulerName);
  const queue = createWorkQueue<string>({ clock });
  /** Bound Pods whose cached copy does not show the binding yet, by uid. */
  const assumed = new Map<string, { pod: Pod; nodeName: string }>();
  /** Unschedulable Pods: key → the last reported message, or "" if reporting has not succeeded yet. */
  const waiting = new Map<string, string>();

  informers.pods.addEventHandler({
    added: podChanged,
    updated(old, pod) {
      if (!isTerminal(old) && isTerminal(pod)) retryWaiting();
      podChanged(pod);
    },
    deleted(deleted) {
      const pod = unwrapTombstone(deleted);
      assumed.delete(uidOf(pod));
      waiting.delete(keyOf(pod));
      retryWaiting();
    },
  });
  informers.nodes.addEventHandler({
    added: retryWaiting,
    updated(old, node) {
      // Nodes send a heartbeat every few seconds. Only a change of the fields that are read below triggers a
      // retry.
      if (!isDeepStrictEqual(schedulingView(old), schedulingView(node))) retryWaiting();
    },
    deleted: retryWaiting,
  });
  informers.persistentVolumeClaims.addEventHandler({ added: retryWaiting, updated: retryWaiting });
  informers.persistentVolumes.addEventHandler({ added: retryWaiting });
  informers.storageClasses.addEventHandler({ added: retryWaiting });

  return runController(context, { name: "scheduler", queue, workers: 1, reconcile });

  function podChanged(pod: Pod): void {
    if (pod.spec?.nodeName) {
      assumed.delete(uidOf(pod));
      waiting.delete(keyOf(pod));
    } else if (isOurs(pod)) {
      queue.add(keyOf(pod));
    }
  }

  function retryWaiting(): void {
    for (const key of waiting.keys()) queue.add(key);
  }

  async function reconcile(key: string): Promise<undefined | "requeue"> {
    const { namespace, name } = splitKey(key);
    const pod = informers.pods.lister.namespace(namespace).get(name);
    if (pod === undefined || !isOurs(pod) || assumed.has(uidOf(pod))) return undefined;
    if (hasClaims(pod) && !volumesAreKnown(informers)) return "requeue";
    const volumes = podVolumes(pod, informers);
    const placement = place(pod, informers.nodes.lister.list(), podsByNode(), volumes);
    if (!("node" in placement)) await explain(pod, placement.message);
    else if (volumes.waiting.length > 0) await chooseNode(pod, volumes.waiting, placement.node);
    else await bind(pod, placement.node);
    return undefined;
  }

  function podsByNode(): (nodeName: string) => Pod[] {
    const onNode = new Map<string, Pod[]>();
    const put = (nodeName: string, pod: Pod) => onNode.set(nodeName, [...(onNode.get(nodeName) ?? []), pod]);
    for (const pod of informers.pods.lister.list()) if (pod.spec?.nodeName) put(pod.spec.nodeName, pod);
    for (const { pod, nodeName } of assumed.values()) put(nodeName, pod);
    return (nodeName) => onNode.get(nodeName) ?? [];
  }

  /** The claims' volumes are provisioned on the Pod's future node. The Pod is bound when they exist. */
  async function chooseNode(pod: Pod, claims: PersistentVolumeClaim[], nodeName: string): Promise<void> {
    waiting.set(keyOf(pod), "");
    for (const claim of claims) {
      if (claim.metadata?.annotations?.[selectedNodeAnnotation] !== undefined) continue;
      const annotations = { [selectedNodeAnnotation]: nodeName };
      await client
        .resource(persistentVolumeClaims)
        .namespace(namespaceOf(claim))
        .patch(nameOf(claim), { metadata: { uid: uidOf(claim), annotations } }, { type: "merge" });
    }
  }

  async function bind(pod: Pod, nodeName: string): Promise<void> {
    const [name, namespace] = [nameOf(pod), namespaceOf(pod)];
    assumed.set(uidOf(pod), { pod, nodeName });
    try {
      await client
        .resource(pods)
        .namespace(namespace)
        .createSubresource(name, "binding", {
          apiVersion: "v1",
          kind: "Binding",
          metadata: { name, namespace, uid: uidOf(pod) },
          target: { apiVersion: "v1", kind: "Node", name: nodeName },
        });
    } catch (error) {
      assumed.delete(uidOf(pod));
      // Deleted, or bound elsewhere. The cache will show it.
      if (isNotFound(error) || isConflict(error)) return;
      throw error;
    }
    waiting.delete(keyOf(pod));
    recorder.event(pod, "Normal", "Scheduled", `Successfully assigned ${namespace}/${name} to ${nodeName}`);
  }

  async function explain(pod: Pod, message: string): Promise<void> {
    const key = keyOf(pod);
    const reported = waiting.get(key) ?? "";
    if (reported === message) return;
    // From now on, a changed node triggers a retry.
    waiting.set(key, reported);
    const existing = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
    if (existing?.status !== "False" || existing.message !== message) {
      const now = timestamp(clock.now());
      const lastTransitionTime = existing?.status === "False" ? existing.lastTransitionTime : now;
      await setCondition(pod, {
        type: "PodScheduled",
        status: "False",
        reason: "Unschedulable",
        message,
        lastTransitionTime,
      });
    }
    recorder.event(pod, "Warning", "FailedScheduling", message);
    // Recorded only after success, so that a failed report is repeated, and only if the Pod still exists.
    if (waiting.has(key)) waiting.set(key, message);
  }

  async function setCondition(pod: Pod, condition: PodCondition): Promise<void> {
    try {
      await client
        .resource(pods)
        .namespace(namespaceOf(pod))
        .patch(
          nameOf(pod),
          { metadata: { uid: uidOf(pod) }, status: { conditions: [condition] } },
          { type: "strategic", subresource: "status" },
        );
    } catch (error) {
      // Deleted, or replaced by another Pod of that name. The cache will show it.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}

/** Whether a Pod waits for this scheduler. Scheduling gates hold a Pod back. */
function isOurs(pod: Pod): boolean {
  const { nodeName, schedulerName: wanted = schedulerName, schedulingGates = [] } = pod.spec ?? {};
  return (
    !nodeName &&
    wanted === schedulerName &&
    schedulingGates.length === 0 &&
    !isBeingDeleted(pod) &&
    !isTerminal(pod)
  );
}

function schedulingView({ metadata, spec, status }: Node) {
  const ready = status?.conditions?.find(({ type }) => type === "Ready")?.status;
  return [metadata?.labels, spec?.unschedulable, spec?.taints, status?.allocatable, ready];
}
