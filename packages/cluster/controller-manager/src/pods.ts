import type { Pod } from "@operator-path/client";
import { compare, isBeingDeleted, uidOf } from "./objects.ts";

/** Whether a Pod counts as a replica: neither finished nor terminating. */
export function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && !isBeingDeleted(pod);
}

/** Whether all containers of a Pod have finished for good. */
export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** Whether a Pod is being deleted and has not finished yet. */
export function isTerminating(pod: Pod): boolean {
  return isBeingDeleted(pod) && !isTerminal(pod);
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === "True";
}

/** Returns when the Pod became ready, in milliseconds since the epoch, or undefined if it is not ready. */
function readySince(pod: Pod): number | undefined {
  const condition = readyCondition(pod);
  if (condition?.status !== "True") return undefined;
  return Date.parse(condition.lastTransitionTime ?? "1970-01-01T00:00:00Z");
}

/**
 * Returns the milliseconds until the Pod is available: 0 if it is, undefined if it is not ready. A Pod is
 * available once it has been ready for minReadySeconds.
 */
export function millisecondsUntilAvailable(
  pod: Pod,
  minReadySeconds: number,
  now: number,
): number | undefined {
  const since = readySince(pod);
  if (since === undefined) return undefined;
  return minReadySeconds === 0 ? 0 : Math.max(0, since + minReadySeconds * 1000 - now);
}

/**
 * Returns the milliseconds until the next of the Pods becomes available by the passing of time, which no
 * event reports. Returns undefined if none will.
 */
export function millisecondsUntilNextAvailable(
  pods: readonly Pod[],
  minReadySeconds: number | undefined,
  now: number,
): number | undefined {
  const waits = pods
    .map((pod) => millisecondsUntilAvailable(pod, minReadySeconds ?? 0, now) ?? 0)
    .filter((wait) => wait > 0);
  return waits.length > 0 ? Math.min(...waits) : undefined;
}

function readyCondition(pod: Pod) {
  return pod.status?.conditions?.find((condition) => condition.type === "Ready");
}

/** Returns spec.replicas of a workload. The API server defaults it to 1. */
export function desiredReplicas(object: { spec?: { replicas?: number } }): number {
  return object.spec?.replicas ?? 1;
}

/**
 * Returns `{ [name]: count }`, or `{}` if the count is 0. The API server omits such zeros (Go's omitempty). A
 * status written with them would never equal the status read back, so every reconcile would write.
 */
export function nonZero<K extends string>(name: K, count: number | undefined): { [key in K]?: number } {
  return count ? ({ [name]: count } as { [key in K]?: number }) : {};
}

/**
 * Resolves an IntOrString: 3 is 3, and "25%" is a share of `total`. Throws on other values.
 * (k8s.io/apimachinery: intstr.GetScaledValueFromIntOrPercent.)
 */
export function scaledValue(value: number | string, total: number, round: (share: number) => number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined)
    throw new Error(`invalid value for IntOrString: invalid type: string is not a percentage: ${value}`);
  return round((Number(percent) * total) / 100);
}

/** A user's cost of deleting a Pod. The lowest goes first. Default: 0. */
const deletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";

const phaseOrder: Record<string, number> = { Pending: 0, Unknown: 1, Running: 2 };

/**
 * Picks the Pods to delete on a scale-down: Pods that serve no traffic first, then the cheapest, then those
 * that share a node with others, then the youngest. The order follows client-go's
 * controller.ActivePodsWithRanks.
 *
 * @param pods the ReplicaSet's active Pods
 * @param related the Pods of all ReplicaSets of the same Deployment, which make a node crowded
 * @param now milliseconds since the epoch
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
 * Compares ages by powers of two. Within one power the uid decides, which is random. Always deleting the
 * youngest Pods would undo the spreading after a node failure (KEP-2185, LogarithmicScaleDown).
 */
function ageRank(since: number | undefined, now: number): number {
  return since === undefined ? -2 : Math.floor(Math.log2(Math.max(1, now - since)));
}
