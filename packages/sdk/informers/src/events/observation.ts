import { randomBytes } from "node:crypto";
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
  flush(): void;
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

/** Limits of events.k8s.io/v1 in bytes (kubernetes: NoteLengthLimit, ReasonLengthLimit, …). */
export const noteLimit = 1024;
export const reasonLimit = 128;

/** Names are DNS subdomains. */
const maxNameLength = 253;

/**
 * Truncates to a number of bytes in UTF-8, without splitting a character, and ends with "...". A long text is
 * no reason for the server to reject the Event.
 */
export function truncate(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const whole = Buffer.from(text);
  let end = bytes - 3;
  // Skip the continuation bytes of UTF-8.
  while (((whole[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${whole.toString("utf8", 0, end)}...`;
}

/** Returns "<object>.<16 hexadecimal digits>", as client-go names Events. A long object name is truncated. */
export function eventName(name: string): string {
  const suffix = `.${randomBytes(8).toString("hex")}`;
  return name.slice(0, maxNameLength - suffix.length).replace(/[^a-z0-9]+$/, "") + suffix;
}
