import type { KubeObject } from "@operator-path/client";

// Cached objects are shared and frozen, so these functions change nothing in place. Each returns the wanted
// object, or the same object when there is nothing to change.

/**
 * Returns the object with the finalizer.
 *
 * `const wanted = addFinalizer(memcached, name); if (wanted !== memcached) await client.update(wanted);`
 */
export function addFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  if (containsFinalizer(object, finalizer)) return object;
  return withFinalizers(object, [...(object.metadata?.finalizers ?? []), finalizer]);
}

/** Returns the object without the finalizer. */
export function removeFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  if (!containsFinalizer(object, finalizer)) return object;
  const left = (object.metadata?.finalizers ?? []).filter((other) => other !== finalizer);
  return withFinalizers(object, left);
}

/** Returns whether the object has the finalizer. */
export function containsFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata?.finalizers?.includes(finalizer) ?? false;
}

function withFinalizers<T extends KubeObject>(object: T, finalizers: string[]): T {
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
