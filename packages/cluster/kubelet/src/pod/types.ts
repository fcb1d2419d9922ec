import type { Pod } from "@operator-path/client";
import type { EventRecorder } from "@operator-path/informers";

// The types come from Pod, so that each shape has one source.
type PodSpec = NonNullable<Pod["spec"]>;
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

/** Returns RFC 3339 in whole seconds, the form of metav1.Time. */
export function metaTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Returns `name_namespace(uid)`, the kubelet's form of a Pod in messages (format.Pod). */
export function formatPod(pod: Pod): string {
  return `${pod.metadata?.name}_${pod.metadata?.namespace}(${pod.metadata?.uid})`;
}

/** Returns a number of seconds, or its default, in ms. */
export function seconds(value: number | undefined, fallback: number): number {
  return (value ?? fallback) * 1000;
}

/** Records an Event about a container or its Pod. */
export type RecordEvent = (type: "Normal" | "Warning", reason: string, message: string) => void;

/** The part of the event recorder that the node uses. */
export type Recorder = Pick<EventRecorder, "event">;

/** Returns a container's path in its Pod, for involvedObject.fieldPath. */
export function containerFieldPath(kind: "init" | "regular" | "ephemeral", name: string): string {
  const list = { init: "initContainers", regular: "containers", ephemeral: "ephemeralContainers" }[kind];
  return `spec.${list}{${name}}`;
}
