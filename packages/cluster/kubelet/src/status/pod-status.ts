import type { Pod } from "@operator-path/client";
import { type ContainerSlot, isRunning, isSidecar, wantsRestart } from "../pod/container-slot.ts";
import { metaTime, type PodCondition, type PodStatus } from "../pod/types.ts";
import { containerStatus } from "./container-status.ts";

/** Returns the parts of a Pod's status that a kubelet owns. */
export function podStatus(
  pod: Pod,
  slots: readonly ContainerSlot[],
  options: {
    podIP: string | undefined;
    hostIP: string;
    startTime: number;
    now: number;
    terminating: boolean;
    /** The conditions that were written last. */
    previous: readonly PodCondition[];
    /** Set when the whole Pod has failed: its deadline has passed, or it was evicted. */
    failed?: { reason: string; message: string } | undefined;
  },
): PodStatus {
  const phase = options.failed ? "Failed" : podPhase(pod, slots, options.terminating);
  const inits = slots.filter((slot) => slot.kind === "init");
  const of = (kind: ContainerSlot["kind"]) => slots.filter((slot) => slot.kind === kind);
  const done = phase === "Succeeded" || phase === "Failed";
  const notStarted = inits.length > 0 ? "PodInitializing" : "ContainerCreating";
  return {
    ...(pod.metadata?.generation !== undefined ? { observedGeneration: pod.metadata.generation } : {}),
    phase,
    ...(options.failed ?? {}),
    conditions: podConditions(pod, slots, {
      phase,
      sandbox: options.podIP !== undefined && !done,
      now: options.now,
      previous: options.previous,
    }),
    hostIP: options.hostIP,
    hostIPs: [{ ip: options.hostIP }],
    ...(options.podIP ? { podIP: options.podIP, podIPs: [{ ip: options.podIP }] } : {}),
    startTime: metaTime(options.startTime),
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

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

/** Counts the slots by state, in the categories of the kubelet's getPhase. */
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

/** Whether the init containers have completed and the sidecars among them run. */
function isInitialized(inits: readonly ContainerSlot[]): boolean {
  return inits.every((slot) =>
    isSidecar(slot) ? slot.started && isRunning(slot) : slot.run?.exit?.code === 0,
  );
}

/**
 * Returns the Pod's phase (the kubelet's getPhase).
 * @param terminating whether the Pod is ending, so that nothing restarts
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

/** A condition without its transition time. */
type ConditionState = Pick<PodCondition, "type" | "status" | "reason" | "message">;

/**
 * Returns the conditions that a kubelet owns, in its order. `lastTransitionTime` changes only with the
 * status.
 * @param options.previous the conditions written last. The API may still show older ones
 * @param options.sandbox whether the Pod has its network
 */
export function podConditions(
  pod: Pod,
  slots: readonly ContainerSlot[],
  options: { phase: PodPhase; sandbox: boolean; now: number; previous: readonly PodCondition[] },
): PodCondition[] {
  const wanted: ConditionState[] = [
    { type: "PodReadyToStartContainers", status: options.sandbox ? "True" : "False" },
    initialized(slots, options.phase),
  ];
  const containersReady = containersReadyCondition(slots, options.phase);
  wanted.push({ ...readyWithGates(pod, containersReady), type: "Ready" });
  wanted.push(containersReady);
  wanted.push({ type: "PodScheduled", status: "True" });
  return wanted.map((condition) => {
    const old = options.previous.find((other) => other.type === condition.type);
    const moved = old?.status !== condition.status || !old.lastTransitionTime;
    return {
      type: condition.type,
      ...(pod.metadata?.generation !== undefined ? { observedGeneration: pod.metadata.generation } : {}),
      status: condition.status,
      ...(condition.reason ? { reason: condition.reason } : {}),
      ...(condition.message ? { message: condition.message } : {}),
      lastTransitionTime: moved ? metaTime(options.now) : (old.lastTransitionTime as string),
    } as PodCondition;
  });
}

function initialized(slots: readonly ContainerSlot[], phase: PodPhase): ConditionState {
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

function containersReadyCondition(slots: readonly ContainerSlot[], phase: PodPhase): ConditionState {
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

/** Adds readiness gates (KEP-580): the Pod is ready only when these conditions, set by others, are True. */
function readyWithGates(pod: Pod, containersReady: ConditionState): ConditionState {
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

/**
 * Returns the Pod's quality of service, by requests and limits of CPU and memory
 * (k8s.io/kubernetes/pkg/apis/core/v1/helper/qos).
 */
function qosClass(pod: Pod): "Guaranteed" | "Burstable" | "BestEffort" {
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  let any = false;
  let guaranteed = true;
  for (const { resources } of containers) {
    for (const name of ["cpu", "memory"]) {
      const limit = resources?.limits?.[name];
      const request = resources?.requests?.[name] ?? limit;
      if (request !== undefined || limit !== undefined) any = true;
      if (limit === undefined || request !== limit) guaranteed = false;
    }
  }
  if (!any) return "BestEffort";
  return guaranteed ? "Guaranteed" : "Burstable";
}
