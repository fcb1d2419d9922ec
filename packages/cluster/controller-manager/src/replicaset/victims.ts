import type { Pod } from "@operator-path/client";
import { compare, uidOf } from "../objects.ts";
import { isActive, isReady, readySince } from "../pods.ts";

/** What a user says about a Pod's worth: the lowest goes first, 0 if absent. */
const deletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";

const phaseOrder: Record<string, number> = { Pending: 0, Unknown: 1, Running: 2 };

/**
 * Picks the Pods that a ReplicaSet loses least with: those that serve nobody yet, then the cheapest, then those that
 * share a node with others, then the youngest. The rules in their order are client-go's controller.ActivePodsWithRanks.
 *
 * @param pods the ReplicaSet's active Pods.
 * @param related the Pods of all ReplicaSets of the same Deployment: what counts as crowded on a node.
 * @param now milliseconds since the epoch.
 */
export function chooseVictims(pods: Pod[], related: Pod[], count: number, now: number): Pod[] {
  if (count >= pods.length) return pods;
  const onNode = new Map<string, number>();
  for (const pod of related.filter(isActive)) {
    const node = pod.spec?.nodeName ?? "";
    onNode.set(node, (onNode.get(node) ?? 0) + 1);
  }
  const neighbours = (pod: Pod) => onNode.get(pod.spec?.nodeName ?? "") ?? 0;

  return pods
    .toSorted(
      (a, b) =>
        Number(isAssigned(a)) - Number(isAssigned(b)) ||
        phase(a) - phase(b) ||
        Number(isReady(a)) - Number(isReady(b)) ||
        deletionCost(a) - deletionCost(b) ||
        neighbours(b) - neighbours(a) ||
        ageRank(readySince(a), now) - ageRank(readySince(b), now) ||
        restarts(b) - restarts(a) ||
        ageRank(createdAt(a), now) - ageRank(createdAt(b), now) ||
        compare(uidOf(a), uidOf(b)),
    )
    .slice(0, count);
}

function isAssigned(pod: Pod): boolean {
  return pod.spec?.nodeName !== undefined && pod.spec.nodeName !== "";
}

function phase(pod: Pod): number {
  return phaseOrder[pod.status?.phase ?? "Pending"] ?? 0;
}

function deletionCost(pod: Pod): number {
  const cost = Number(pod.metadata?.annotations?.[deletionCostAnnotation] ?? 0);
  return Number.isInteger(cost) ? cost : 0;
}

function restarts(pod: Pod): number {
  return Math.max(0, ...(pod.status?.containerStatuses ?? []).map((status) => status.restartCount));
}

function createdAt(pod: Pod): number | undefined {
  const created = pod.metadata?.creationTimestamp;
  return created === undefined ? undefined : Date.parse(created);
}

/**
 * Ages are compared by powers of two, and chance (the uid) decides within one: always deleting the very youngest would
 * undo, after a node's failure, the spreading of the Pods that replaced it (KEP-2185, LogarithmicScaleDown).
 */
function ageRank(since: number | undefined, now: number): number {
  return since === undefined ? -2 : Math.floor(Math.log2(Math.max(1, now - since)));
}
