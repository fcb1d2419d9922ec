import type { KubeObject, ObjectReference } from "@operator-path/client";

/** Something that was seen, before it is an Event of either API. */
export interface Observation {
  regarding: ObjectReference;
  related?: ObjectReference;
  type: "Normal" | "Warning";
  reason: string;
  message: string;
  action?: string;
}

/** Makes Events of observations, and has them written. */
export interface EventSink {
  record(observation: Observation): void;
  /** Nothing is to be kept back any longer. */
  settle(): void;
}

/** client-go: reference.GetReference. */
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
