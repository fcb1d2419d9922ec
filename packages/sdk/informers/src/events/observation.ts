import type { KubeObject, ObjectReference } from "@operator-path/client";

/** A recorded occurrence, independent of the Events API that it is written to. */
export interface Observation {
  regarding: ObjectReference;
  related?: ObjectReference;
  type: "Normal" | "Warning";
  reason: string;
  message: string;
  action?: string;
}

/** Turns observations into Events and queues them. */
export interface EventSink {
  record(observation: Observation): void;
  /** Queues everything that is still held back. */
  settle(): void;
}

/** Returns a reference to an object (client-go: reference.GetReference). */
export function referenceTo(object: KubeObject, fieldPath?: string): ObjectReference {
  const { name = "", namespace, uid = "", resourceVersion } = object.metadata ?? {};
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    name,
    namespace,
    uid,
    resourceVersion,
    fieldPath,
  };
}
