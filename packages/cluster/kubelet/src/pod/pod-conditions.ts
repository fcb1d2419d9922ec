import type { Pod } from "@operator-path/client";
import { type ContainerSlot, isRunning, isSidecar } from "./container-slot.ts";
import { isInitialized, type PodPhase } from "./pod-phase.ts";
import { metaTime, type PodCondition } from "./types.ts";

/** A condition before it is compared with the one that the Pod has. */
type Wanted = Pick<PodCondition, "type" | "status" | "reason" | "message">;

/**
 * The conditions that a kubelet owns, in its order. `lastTransitionTime` moves only when the status does.
 * @param previous what was said last. Not what the API shows: that may be older than what was written.
 * @param sandbox the Pod has its network.
 */
export function podConditions(
  pod: Pod,
  slots: readonly ContainerSlot[],
  o: { phase: PodPhase; sandbox: boolean; now: number; previous: readonly PodCondition[] },
): PodCondition[] {
  const wanted: Wanted[] = [
    { type: "PodReadyToStartContainers", status: o.sandbox ? "True" : "False" },
    initialized(slots, o.phase),
  ];
  const containersReady = containersReadyCondition(slots, o.phase);
  wanted.push({ ...readyWithGates(pod, containersReady), type: "Ready" });
  wanted.push(containersReady);
  wanted.push({ type: "PodScheduled", status: "True" });
  return wanted.map((condition) => {
    const old = o.previous.find((other) => other.type === condition.type);
    const moved = old?.status !== condition.status || !old.lastTransitionTime;
    return {
      type: condition.type,
      ...(pod.metadata?.generation !== undefined ? { observedGeneration: pod.metadata.generation } : {}),
      status: condition.status,
      ...(condition.reason ? { reason: condition.reason } : {}),
      ...(condition.message ? { message: condition.message } : {}),
      lastTransitionTime: moved ? metaTime(o.now) : (old.lastTransitionTime as string),
    } as PodCondition;
  });
}

function initialized(slots: readonly ContainerSlot[], phase: PodPhase): Wanted {
  const inits = slots.filter((slot) => slot.kind === "init");
  if (phase === "Succeeded") return { type: "Initialized", status: "True", reason: "PodCompleted" };
  const begun = slots.some((slot) => slot.kind === "regular" && slot.run);
  if (begun || isInitialized(inits)) return { type: "Initialized", status: "True" };
  const open = inits.filter((slot) =>
    isSidecar(slot) ? !slot.started || !isRunning(slot) : slot.run?.exit?.code !== 0,
  );
  return {
    type: "Initialized",
    status: "False",
    reason: "ContainersNotInitialized",
    message: `containers with incomplete status: [${open.map((slot) => slot.name).join(" ")}]`,
  };
}

function containersReadyCondition(slots: readonly ContainerSlot[], phase: PodPhase): Wanted {
  const type = "ContainersReady";
  if (phase === "Succeeded") return { type, status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { type, status: "False", reason: "PodFailed" };
  const counted = slots.filter((slot) => slot.kind === "regular" || isSidecar(slot));
  const unready = counted.filter((slot) => !(isRunning(slot) && slot.ready));
  if (unready.length === 0) return { type, status: "True" };
  return {
    type,
    status: "False",
    reason: "ContainersNotReady",
    message: `containers with unready status: [${unready.map((slot) => slot.name).join(" ")}]`,
  };
}

/** Readiness gates (KEP-580): conditions that others set and that the Pod waits for too. */
function readyWithGates(pod: Pod, containersReady: Wanted): Wanted {
  if (containersReady.status !== "True") return containersReady;
  const messages: string[] = [];
  for (const gate of pod.spec?.readinessGates ?? []) {
    const condition = pod.status?.conditions?.find((other) => other.type === gate.conditionType);
    if (!condition)
      messages.push(`corresponding condition of pod readiness gate "${gate.conditionType}" does not exist.`);
    else if (condition.status !== "True") {
      messages.push(
        `the status of pod readiness gate "${gate.conditionType}" is not "True", but ${condition.status}`,
      );
    }
  }
  if (messages.length === 0) return containersReady;
  return { type: "Ready", status: "False", reason: "ReadinessGatesNotReady", message: messages.join(", ") };
}
