import type { KubeObject } from "@operator-path/client";

/** "namespace/name", or "name" of a cluster-scoped object (client-go: MetaNamespaceKeyFunc). */
export function keyOf(object: KubeObject | DeletedFinalStateUnknown<KubeObject>): string {
  if (object instanceof DeletedFinalStateUnknown) return object.key;
  const { namespace, name = "" } = object.metadata ?? {};
  return namespace ? `${namespace}/${name}` : name;
}

/** The other way round. `namespace` is "" for a cluster-scoped object. */
export function splitKey(key: string): { namespace: string; name: string } {
  const slash = key.indexOf("/");
  return slash < 0
    ? { namespace: "", name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/**
 * A tombstone (client-go: DeletedFinalStateUnknown): the object went while nobody was listening, so `object` is the
 * last state that was seen, which may be older than the one it was deleted in.
 */
export class DeletedFinalStateUnknown<T extends KubeObject> {
  readonly key: string;
  readonly object: T;

  constructor(key: string, object: T) {
    this.key = key;
    this.object = object;
  }
}

/** The object that was deleted, tombstone or not. */
export function unwrapTombstone<T extends KubeObject>(deleted: T | DeletedFinalStateUnknown<T>): T {
  return deleted instanceof DeletedFinalStateUnknown ? deleted.object : deleted;
}
