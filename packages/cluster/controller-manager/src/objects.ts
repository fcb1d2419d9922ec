import type { KubeObject } from "@operator-path/client";

// Everything a controller sees comes from the API server, where these fields are always set; the wire types mark them
// optional because the same types describe what a client may send. Reading them here, once, keeps `!` out of the code.

/** The name of a stored object. Throws when there is none: then it did not come from an API server. */
export function nameOf(object: KubeObject): string {
  return required(object.metadata?.name, "metadata.name", object);
}

/** The namespace of a stored object, or "" for a cluster-scoped one (as client-go has it). */
export function namespaceOf(object: KubeObject): string {
  return object.metadata?.namespace ?? "";
}

/** The uid of a stored object: unique over space and time, so a recreated object of the same name has another one. */
export function uidOf(object: KubeObject): string {
  return required(object.metadata?.uid, "metadata.uid", object);
}

/** True from the moment somebody asked for deletion: the object waits for its grace period or its finalizers. */
export function isBeingDeleted(object: KubeObject): boolean {
  return object.metadata?.deletionTimestamp !== undefined;
}

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata?.finalizers?.includes(finalizer) ?? false;
}

/** Milliseconds since the epoch as the API writes times: RFC 3339, UTC, whole seconds (metav1.Time). */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Oldest first, by creationTimestamp; objects of the same second by name, so that the order is total. */
export function byCreationTimestamp(a: KubeObject, b: KubeObject): number {
  const [left, right] = [createdAt(a), createdAt(b)];
  return left === right ? compare(nameOf(a), nameOf(b)) : left - right;
}

/** Byte order, as Go sorts strings; not the order of any language. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function createdAt(object: KubeObject): number {
  return Date.parse(object.metadata?.creationTimestamp ?? "1970-01-01T00:00:00Z");
}

function required(value: string | undefined, field: string, object: KubeObject): string {
  if (value === undefined)
    throw new TypeError(`${object.kind ?? "object"} without ${field}: not from an API server`);
  return value;
}
