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
 * Gives Pods that have none a node, one Pod after the other. A Pod that fits nowhere says so, in its PodScheduled
 * condition and an Event, and is tried again when a node or the Pods on the nodes change. Pods that name their node, or
 * another scheduler, are left alone. (Kubernetes: kube-scheduler, without priorities and preemption.)
 */
export function createScheduler(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder(schedulerName);
  const queue = createWorkQueue<string>({ clock });
  /** Pods that have been bound and whose cached copy does not show it yet: uid → node. */
  const assumed = new Map<string, { pod: Pod; nodeName: string }>();
  /** Pods that fit nowhere: key → why, as they have been told; "" if that has not succeeded yet. */
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
      // Nodes report every few seconds that they are alive: only what is looked at below is a reason to look again.
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

  /** The claims' volumes are made on the node that the Pod is to run on. It is bound when they are there. */
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
      // Gone, or bound by somebody else: the cache will tell.
      if (isNotFound(error) || isConflict(error)) return;
      throw error;
    }
    waiting.delete(keyOf(pod));
    recorder.event(pod, "Normal", "Scheduled", `Successfully assigned ${namespace}/${name} to ${nodeName}`);
  }

  async function explain(pod: Pod, message: string): Promise<void> {
    const key = keyOf(pod);
    const told = waiting.get(key) ?? "";
    if (told === message) return;
    // A node that changes from now on is a reason to look again.
    waiting.set(key, told);
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
    // Only now: what has failed is to be tried again. And only if the Pod is still there.
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
      // Gone, or another one under its name: the cache will tell.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}

/** A Pod that waits for this scheduler. Scheduling gates say that somebody is not done with it yet. */
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
