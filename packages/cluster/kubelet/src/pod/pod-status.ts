import type { Pod } from "@operator-path/client";
import type { ContainerSlot } from "./container-slot.ts";
import { containerStatus } from "./container-status.ts";
import { podConditions } from "./pod-conditions.ts";
import { podPhase } from "./pod-phase.ts";
import { qosClass } from "./qos.ts";
import { metaTime, type PodCondition, type PodStatus } from "./types.ts";

/** What a node says of a Pod: the parts of its status that a kubelet owns. */
export function podStatus(
  pod: Pod,
  slots: readonly ContainerSlot[],
  o: {
    podIP: string | undefined;
    hostIP: string;
    startTime: number;
    now: number;
    terminating: boolean;
    /** The conditions as they were said last. */
    previous: readonly PodCondition[];
    /** The Pod was given up as a whole (deadline exceeded, evicted). */
    failed?: { reason: string; message: string } | undefined;
  },
): PodStatus {
  const phase = o.failed ? "Failed" : podPhase(pod, slots, o.terminating);
  const inits = slots.filter((slot) => slot.kind === "init");
  const of = (kind: ContainerSlot["kind"]) => slots.filter((slot) => slot.kind === kind);
  const done = phase === "Succeeded" || phase === "Failed";
  const notStarted = inits.length > 0 ? "PodInitializing" : "ContainerCreating";
  return {
    ...(pod.metadata?.generation !== undefined ? { observedGeneration: pod.metadata.generation } : {}),
    phase,
    ...(o.failed ?? {}),
    conditions: podConditions(pod, slots, {
      phase,
      sandbox: o.podIP !== undefined && !done,
      now: o.now,
      previous: o.previous,
    }),
    hostIP: o.hostIP,
    hostIPs: [{ ip: o.hostIP }],
    ...(o.podIP ? { podIP: o.podIP, podIPs: [{ ip: o.podIP }] } : {}),
    startTime: metaTime(o.startTime),
    qosClass: qosClass(pod),
    ...(inits.length
      ? { initContainerStatuses: inits.map((slot) => containerStatus(slot, notStarted)) }
      : {}),
    containerStatuses: of("regular").map((slot) => containerStatus(slot, notStarted)),
    ...(of("ephemeral").length
      ? { ephemeralContainerStatuses: of("ephemeral").map((slot) => containerStatus(slot, notStarted)) }
      : {}),
  } as PodStatus;
}
