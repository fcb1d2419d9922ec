import type { Pod } from "@operator-path/client";
import { type ContainerSlot, isRunning, isSidecar, wantsRestart } from "./container-slot.ts";

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

/** What became of the slots, in the terms by which the kubelet's getPhase decides. */
function count(slots: readonly ContainerSlot[]) {
  const counted = { waiting: 0, running: 0, stopped: 0, succeeded: 0, unknown: 0 };
  for (const slot of slots) {
    const ended = slot.run?.exit?.code ?? (slot.run ? undefined : slot.lastState?.exitCode);
    if (isRunning(slot)) counted.running++;
    else if (ended !== undefined) {
      counted.stopped++;
      if (ended === 0 && !slot.waiting) counted.succeeded++;
    } else counted.waiting++;
  }
  return counted;
}

/** Whether the containers before the regular ones have done their part. */
export function isInitialized(inits: readonly ContainerSlot[]): boolean {
  return inits.every((slot) =>
    isSidecar(slot) ? slot.started && isRunning(slot) : slot.run?.exit?.code === 0,
  );
}

/**
 * The Pod's phase (the kubelet's getPhase).
 * @param terminating the Pod has been told to end: nothing is restarted any more.
 */
export function podPhase(pod: Pod, slots: readonly ContainerSlot[], terminating: boolean): PodPhase {
  const policy = pod.spec?.restartPolicy ?? "Always";
  const inits = slots.filter((slot) => slot.kind === "init");
  const regular = count(slots.filter((slot) => slot.kind === "regular"));
  const begun = regular.running + regular.stopped > 0;

  const failedInit = inits.some((slot) => {
    const code = slot.run?.exit?.code;
    return (
      code !== undefined &&
      code !== 0 &&
      !isSidecar(slot) &&
      (terminating || !wantsRestart(slot, policy, code))
    );
  });
  if (failedInit && !begun) return "Failed";
  if (!begun && !isInitialized(inits)) return terminating ? "Failed" : "Pending";
  if (regular.waiting > 0) return terminating && begun ? "Failed" : "Pending";
  if (regular.running > 0) return "Running";
  if (terminating) return regular.stopped === regular.succeeded ? "Succeeded" : "Failed";
  if (policy === "Always") return "Running";
  if (regular.stopped === regular.succeeded) return "Succeeded";
  return policy === "Never" ? "Failed" : "Running";
}
