import type { EventRecorder } from "@operator-path/informers";

/** Records an Event about a container, or about the Pod itself. */
export type RecordEvent = (type: "Normal" | "Warning", reason: string, message: string) => void;

/** The part of the event recorder that the node needs. */
export type Recorder = Pick<EventRecorder, "event">;

/** Path of a container in its Pod, as involvedObject.fieldPath names it. */
export function containerFieldPath(kind: "init" | "regular" | "ephemeral", name: string): string {
  const list = { init: "initContainers", regular: "containers", ephemeral: "ephemeralContainers" }[kind];
  return `spec.${list}{${name}}`;
}
