import type { KubeObject } from "@operator-path/client";

/** Returns "namespace/name", or "name" for a cluster-scoped object (client-go: MetaNamespaceKeyFunc). */
export function keyOf(object: KubeObject | DeletedFinalStateUnknown<KubeObject>): string {
  if (object instanceof DeletedFinalStateUnknown) return object.key;
  const { namespace, name = "" } = object.metadata ?? {};
  return namespace ? `${namespace}/${name}` : name;
}

/** Splits a key into namespace and name. `namespace` is "" for a cluster-scoped object. */
export function splitKey(key: string): { namespace: string; name: string } {
  const slash = key.indexOf("/");
  return slash < 0
    ? { namespace: "", name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/**
 * A tombstone (client-go: DeletedFinalStateUnknown). The informer missed the deletion, so `object` is the
 * last state that it saw. The object may have changed again before it was deleted.
 */
export class DeletedFinalStateUnknown<T extends KubeObject> {
  readonly key: string;
  readonly object: T;

  constructor(key: string, object: T) {
    this.key = key;
    this.object = object;
  }
}

/** Returns the deleted object, whether or not it is wrapped in a tombstone. */
export function unwrapTombstone<T extends KubeObject>(deleted: T | DeletedFinalStateUnknown<T>): T {
  return deleted instanceof DeletedFinalStateUnknown ? deleted.object : deleted;
}

/**
 * Returns whether a resourceVersion is older than another. Versions are increasing decimal numbers
 * (KEP-5504). If one is not a number, returns false: their order is unknown.
 *
 * An older event comes from a server that lags behind. It would overwrite a newer object.
 */
export function isOlder(version: string, than: string): boolean {
  // Called for every event, and hardly ever true: so compare first and check the format last.
  const seemsOlder = version.length === than.length ? version < than : version.length < than.length;
  return seemsOlder && decimal.test(version) && decimal.test(than);
}

const decimal = /^[1-9]\d*$/;
