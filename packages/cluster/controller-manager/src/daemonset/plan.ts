import type { DaemonSet, Node, Pod } from "@operator-path/client";
import { scaledValue } from "../int-or-percent.ts";
import { byCreationTimestamp, isBeingDeleted, nameOf } from "../objects.ts";
import { isTerminal, millisecondsUntilAvailable } from "../pods.ts";
import { fitsNode, hashLabel, targetNode } from "./daemon-pod.ts";

export interface DaemonPlan {
  /** Names of nodes. */
  create: string[];
  remove: Pod[];
  /** Pods that have ended and are to be replaced: slowly, if they failed. */
  ended: Pod[];
}

export function isUpdated(pod: Pod, hash: string): boolean {
  return pod.metadata?.labels?.[hashLabel] === hash;
}

/** The Pods of each node, those meant for it but not bound yet included; "" are those that nobody can tell of. */
export function podsByNode(pods: Pod[]): Map<string, Pod[]> {
  const onNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = targetNode(pod) ?? "";
    onNode.set(node, [...(onNode.get(node) ?? []), pod]);
  }
  return onNode;
}

/**
 * One Pod on each node that fits: where there is none one is created, where it has ended it is replaced, and where there
 * are several the oldest stays, with one of the latest revision beside it while an update may surge.
 * (pkg/controller/daemon: podsShouldBeOnNode.)
 */
export function planPlacement(daemonSet: DaemonSet, nodes: Node[], pods: Pod[], hash: string): DaemonPlan {
  const plan: DaemonPlan = { create: [], remove: [], ended: [] };
  const onNode = podsByNode(pods);
  for (const node of nodes) {
    const name = nameOf(node);
    const here = onNode.get(name) ?? [];
    onNode.delete(name);
    const { shouldRun, mayStay } = fitsNode(daemonSet, node);
    const alive = here.filter((pod) => !isBeingDeleted(pod));
    if (!mayStay) plan.remove.push(...alive);
    else {
      if (shouldRun && here.length === 0) plan.create.push(name);
      plan.ended.push(...alive.filter(isTerminal));
      plan.remove.push(
        ...surplus(
          daemonSet,
          alive.filter((pod) => !isTerminal(pod)),
          hash,
        ),
      );
    }
  }
  // What is meant for a node that is gone will never run. Bound Pods of such nodes are the Pod garbage collector's.
  const nowhere = [...onNode.values()].flat().filter((pod) => !pod.spec?.nodeName && !isBeingDeleted(pod));
  plan.remove.push(...nowhere);
  return plan;
}

function surplus(daemonSet: DaemonSet, running: Pod[], hash: string): Pod[] {
  const sorted = running.toSorted(
    (a, b) => Number(!a.spec?.nodeName) - Number(!b.spec?.nodeName) || byCreationTimestamp(a, b),
  );
  if (maxSurge(daemonSet, 1) === 0) return sorted.slice(1);
  const old = sorted.filter((pod) => !isUpdated(pod, hash));
  return [...old.slice(1), ...sorted.filter((pod) => isUpdated(pod, hash)).slice(1)];
}

/**
 * The next step of a rolling update: old Pods that may go now, and nodes that may have a Pod of the latest revision beside
 * the old one. Pods that are not available anyway are replaced at once. (pkg/controller/daemon: rollingUpdate.)
 */
export function planUpdate(
  daemonSet: DaemonSet,
  nodes: Node[],
  pods: Pod[],
  hash: string,
  now: number,
): Pick<DaemonPlan, "create" | "remove"> {
  const onNode = podsByNode(pods);
  const wanted = nodes.filter((node) => fitsNode(daemonSet, node).shouldRun).length;
  const surge = maxSurge(daemonSet, wanted);
  let unavailable = 0;
  let surging = 0;
  const atOnce: string[] = [];
  const later: string[] = [];
  const removeAtOnce: Pod[] = [];
  const removeLater: Pod[] = [];

  for (const node of nodes) {
    const name = nameOf(node);
    const alive = (onNode.get(name) ?? []).filter((pod) => !isBeingDeleted(pod) && !isTerminal(pod));
    const isAvailable = (pod: Pod) => isAvailableFor(daemonSet, pod, now);
    const [old, other] = alive.filter((pod) => !isUpdated(pod, hash));
    const [updated] = alive.filter((pod) => isUpdated(pod, hash));
    if (other !== undefined) unavailable++;
    else if (surge > 0) {
      if (old !== undefined && updated === undefined) (isAvailable(old) ? later : atOnce).push(name);
      else if (old !== undefined && updated !== undefined) {
        if (isAvailable(updated)) removeAtOnce.push(old);
        else surging++;
      }
    } else if (updated !== undefined && old === undefined) {
      if (!isAvailable(updated)) unavailable++;
    } else if (old === undefined || updated !== undefined) {
      if (fitsNode(daemonSet, node).shouldRun || alive.length > 0) unavailable++;
    } else (isAvailable(old) ? removeLater : removeAtOnce).push(old);
  }
  return {
    create: [...atOnce, ...later.slice(0, Math.max(0, surge - surging))],
    remove: [
      ...removeAtOnce,
      ...removeLater.slice(0, Math.max(0, maxUnavailable(daemonSet, wanted) - unavailable)),
    ],
  };
}

export function isAvailableFor(daemonSet: DaemonSet, pod: Pod, now: number): boolean {
  return millisecondsUntilAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, now) === 0;
}

function maxSurge({ spec }: DaemonSet, wanted: number): number {
  if (spec?.updateStrategy?.type === "OnDelete") return 0;
  return scaledValue(spec?.updateStrategy?.rollingUpdate?.maxSurge ?? 0, wanted, Math.ceil);
}

/** At least one Pod may be missing when none may be too many: else nothing would ever be updated. */
function maxUnavailable(daemonSet: DaemonSet, wanted: number): number {
  const value = daemonSet.spec?.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1;
  const allowed = scaledValue(value, wanted, Math.ceil);
  return allowed === 0 && maxSurge(daemonSet, wanted) === 0 ? 1 : allowed;
}
