import type { KubeObject } from "@operator-path/client";

// Controllers read only objects from the API server, which always sets these fields. The types make them
// optional because they also describe requests. Reading the fields through these functions keeps `!` out of
// the code.

/**
 * Returns the name of a stored object. Throws if it has none, because then it did not come from an API
 * server.
 */
export function nameOf(object: KubeObject): string {
  return required(object.metadata?.name, "metadata.name", object);
}

/** Returns the namespace of a stored object, or "" for a cluster-scoped one, as client-go does. */
export function namespaceOf(object: KubeObject): string {
  return object.metadata?.namespace ?? "";
}

/** Returns the uid of a stored object. A recreated object of the same name has another uid. */
export function uidOf(object: KubeObject): string {
  return required(object.metadata?.uid, "metadata.uid", object);
}

/** Whether deletion was requested. The object then waits for its grace period or its finalizers. */
export function isBeingDeleted(object: KubeObject): boolean {
  return object.metadata?.deletionTimestamp !== undefined;
}

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata?.finalizers?.includes(finalizer) ?? false;
}

/** Formats milliseconds since the epoch as the API does: RFC 3339, UTC, whole seconds (metav1.Time). */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/**
 * Compares by creationTimestamp, oldest first. Objects of the same second are ordered by name, so the order
 * is total.
 */
export function byCreationTimestamp(a: KubeObject, b: KubeObject): number {
  const [left, right] = [createdAt(a), createdAt(b)];
  return left === right ? compare(nameOf(a), nameOf(b)) : left - right;
}

/** Compares by code unit, independent of locale, as Go sorts strings. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function createdAt(object: KubeObject): number {
  return Date.parse(object.metadata?.creationTimestamp ?? "1970-01-01T00:00:00Z");
}

function required(value: string | undefined, field: string, object: KubeObject): string {
  if (value === undefined)
    throw new TypeError(`${object.kind ?? "object"} has no ${field}: it was not read from an API server`);
  return value;
}
