import type { KubeObject } from "@operator-path/client";

/** Records an Event about a container, or about the Pod itself. */
export type RecordEvent = (type: "Normal" | "Warning", reason: string, message: string) => void;

/** The part of the event recorder that the node needs. */
export interface Recorder {
  event(
    object: KubeObject,
    type: "Normal" | "Warning",
    reason: string,
    message: string,
    options?: { fieldPath?: string },
  ): void;
}

/** Path of a container in its Pod, as involvedObject.fieldPath names it. */
export function containerFieldPath(kind: "init" | "regular" | "ephemeral", name: string): string {
  const list = { init: "initContainers", regular: "containers", ephemeral: "ephemeralContainers" }[kind];
  return `spec.${list}{${name}}`;
}
