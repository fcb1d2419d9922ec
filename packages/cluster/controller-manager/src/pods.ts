import type { Pod } from "@operator-path/client";
import { compare, isBeingDeleted, uidOf } from "./objects.ts";

/** A Pod that counts as a replica: neither finished nor on its way out. */
export function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && !isBeingDeleted(pod);
}

/** A Pod whose containers have all ended for good. */
export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** A Pod that was asked to go and has not gone yet. */
export function isTerminating(pod: Pod): boolean {
  return isBeingDeleted(pod) && !isTerminal(pod);
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === "True";
}

/** When the Pod became ready, in milliseconds since the epoch; undefined when it is not ready. */
function readySince(pod: Pod): number | undefined {
  const condition = readyCondition(pod);
  if (condition?.status !== "True") return undefined;
  return Date.parse(condition.lastTransitionTime ?? "1970-01-01T00:00:00Z");
}

/**
 * How long until the Pod is available, in milliseconds: 0 when it is, undefined when it is not even ready. A Pod is
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

/** How long until the next of the Pods becomes available, by the mere passing of time: no event will tell. Undefined: none will. */
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

/** spec.replicas of a Deployment or ReplicaSet; the API server's default is 1. */
export function desiredReplicas(object: { spec?: { replicas?: number } }): number {
  return object.spec?.replicas ?? 1;
}

/**
 * `{ [name]: count }`, or nothing when the count is 0. The API server leaves such zeros out (Go's omitempty), and a status
 * that is written with them would never equal the one that is read back: a write at every reconcile.
 */
export function nonZero<K extends string>(name: K, count: number | undefined): { [key in K]?: number } {
  return count ? ({ [name]: count } as { [key in K]?: number }) : {};
}

/**
 * An IntOrString as a number: 3 is 3, "25%" is a share of `total`. Throws on anything else.
 * (k8s.io/apimachinery: intstr.GetScaledValueFromIntOrPercent.)
 */
export function scaledValue(value: number | string, total: number, round: (share: number) => number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined)
    throw new Error(`invalid value for IntOrString: invalid type: string is not a percentage: ${value}`);
  return round((Number(percent) * total) / 100);
}

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
