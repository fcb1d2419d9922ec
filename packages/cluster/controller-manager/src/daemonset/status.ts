import type { DaemonSet, Node, Pod } from "@operator-path/client";
import { byCreationTimestamp, isBeingDeleted, nameOf } from "../objects.ts";
import { isReady } from "../pods.ts";
import { nonZero } from "../replicas.ts";
import { fitsNode } from "./daemon-pod.ts";
import { isAvailableFor, isUpdated, podsByNode } from "./plan.ts";

export type DaemonSetStatus = NonNullable<DaemonSet["status"]>;

/** The status that describes what was observed: numbers of nodes, of which the oldest Pod counts. */
export function daemonSetStatus(
  daemonSet: DaemonSet,
  nodes: Node[],
  pods: Pod[],
  { hash, collisionCount }: { hash: string; collisionCount: number | undefined },
  now: number,
): DaemonSetStatus {
  const onNode = podsByNode(pods);
  const count = { desired: 0, current: 0, mis: 0, ready: 0, updated: 0, available: 0 };
  for (const node of nodes) {
    const here = (onNode.get(nameOf(node)) ?? []).sort(byCreationTimestamp);
    if (!fitsNode(daemonSet, node).shouldRun) {
      if (here.length > 0) count.mis++;
      continue;
    }
    count.desired++;
    if (here.length === 0) continue;
    count.current++;
    const [ready] = here.filter((pod) => !isBeingDeleted(pod) && isReady(pod));
    if (ready !== undefined) {
      count.ready++;
      if (isAvailableFor(daemonSet, ready, now)) count.available++;
    }
    if (here.some((pod) => isUpdated(pod, hash))) count.updated++;
  }
  return {
    currentNumberScheduled: count.current,
    numberMisscheduled: count.mis,
    desiredNumberScheduled: count.desired,
    numberReady: count.ready,
    ...nonZero("observedGeneration", daemonSet.metadata?.generation),
    ...nonZero("updatedNumberScheduled", count.updated),
    ...nonZero("numberAvailable", count.available),
    ...nonZero("numberUnavailable", count.desired - count.available),
    ...(collisionCount !== undefined && { collisionCount }),
  };
}
