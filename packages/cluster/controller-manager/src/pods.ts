import type { Pod } from "@operator-path/client";
import { isBeingDeleted } from "./objects.ts";

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
export function readySince(pod: Pod): number | undefined {
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
