import type { Pod } from "@operator-path/client";
import type { EventRecorder } from "@operator-path/informers";

// Parts of a Pod by their place in it, so that there is one source for their shapes.
export type PodSpec = NonNullable<Pod["spec"]>;
export type PodStatus = NonNullable<Pod["status"]>;
export type ContainerSpec = PodSpec["containers"][number];
export type EphemeralSpec = NonNullable<PodSpec["ephemeralContainers"]>[number];
export type ContainerStatus = NonNullable<PodStatus["containerStatuses"]>[number];
export type ContainerState = NonNullable<ContainerStatus["state"]>;
export type TerminatedState = NonNullable<ContainerState["terminated"]>;
export type PodCondition = NonNullable<PodStatus["conditions"]>[number];
export type ProbeSpec = NonNullable<ContainerSpec["livenessProbe"]>;
export type VolumeSpec = NonNullable<PodSpec["volumes"]>[number];
export type EnvVar = NonNullable<ContainerSpec["env"]>[number];

/** RFC 3339 to the second, as metav1.Time is written. */
export function metaTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** `name_namespace(uid)`, the kubelet's way to name a Pod in messages (format.Pod). */
export function formatPod(pod: Pod): string {
  return `${pod.metadata?.name}_${pod.metadata?.namespace}(${pod.metadata?.uid})`;
}

/** A quantity of seconds with a default, as milliseconds. */
export function seconds(value: number | undefined, fallback: number): number {
  return (value ?? fallback) * 1000;
}

/** Records an Event about a container, or about the Pod itself. */
export type RecordEvent = (type: "Normal" | "Warning", reason: string, message: string) => void;

/** The part of the event recorder that the node needs. */
export type Recorder = Pick<EventRecorder, "event">;

/** Path of a container in its Pod, as involvedObject.fieldPath names it. */
export function containerFieldPath(kind: "init" | "regular" | "ephemeral", name: string): string {
  const list = { init: "initContainers", regular: "containers", ephemeral: "ephemeralContainers" }[kind];
  return `spec.${list}{${name}}`;
}
