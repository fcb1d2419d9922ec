import type { Pod, StatefulSet } from "@operator-path/client";
import { isBeingDeleted } from "../objects.ts";
import { isTerminal } from "../pods.ts";
import { desiredReplicas } from "../replicas.ts";
import { isWanted, ordinalOf, podRevision, startOrdinal } from "./identity.ts";
import { isAvailable } from "./status.ts";

export type Step =
  /** A Pod that is missing. */
  | { create: number }
  /** A Pod that has ended, has no place any more, or is of an older revision. */
  | { remove: Pod }
  /** A Pod whose claims and labels are to be looked at. */
  | { check: Pod };

/**
 * What to do next. An OrderedReady StatefulSet does one thing at a time: it starts its Pods from the first ordinal on,
 * each when all before it are available, ends them from the last one on, and touches none while another one is not well.
 * A Parallel one starts and ends all at once. Both replace Pods of an older revision one by one, from the last ordinal
 * down to the partition. (pkg/controller/statefulset: updateStatefulSet.)
 *
 * @param updateRevision name of the revision that Pods at or above the partition are to have.
 */
export function planStatefulSet(set: StatefulSet, pods: Pod[], updateRevision: string, now: number): Step[] {
  const ordered = set.spec?.podManagementPolicy !== "Parallel";
  const steps: Step[] = [];
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
  const start = startOrdinal(set);
  const ordinals = Array.from({ length: desiredReplicas(set) }, (_, index) => start + index);

  for (const ordinal of ordinals) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) steps.push({ create: ordinal });
    else if (isTerminal(pod)) {
      // Whatever it ended with: the next one is created when this one is gone.
      if (!isBeingDeleted(pod)) steps.push({ remove: pod });
    } else steps.push({ check: pod });
    if (ordered && (pod === undefined || !isAvailable(set, pod, now))) return steps;
  }

  const condemned = pods
    .filter((pod) => !isWanted(set, pod) && ordinalOf(set, pod) !== undefined)
    .sort((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0));
  const firstUnavailable = condemned.findLast((pod) => !isAvailable(set, pod, now));
  for (const pod of condemned) {
    steps.push({ check: pod });
    if (isBeingDeleted(pod)) {
      if (ordered) return steps;
      continue;
    }
    if (ordered && !isAvailable(set, pod, now) && pod !== firstUnavailable) return steps;
    steps.push({ remove: pod });
    if (ordered) return steps;
  }

  if (set.spec?.updateStrategy?.type === "OnDelete") return steps;
  const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (const ordinal of ordinals.toReversed()) {
    // As in Kubernetes, the partition counts from the first replica, whatever its ordinal.
    if (ordinal - start < partition) break;
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) break;
    if (podRevision(pod) !== updateRevision && !isBeingDeleted(pod)) {
      if (!isTerminal(pod)) steps.push({ remove: pod });
      break;
    }
    if (!isAvailable(set, pod, now)) break;
  }
  return steps;
}
