import type { KubeObject, ObjectMeta } from "@operator-path/client";

/**
 * What has happened to an object (Go: event.CreateEvent, UpdateEvent, DeleteEvent, GenericEvent). Nothing but `object` and
 * `old` needs the whole object: handlers and predicates that leave those alone cost no parse of lazily kept objects.
 */
export interface ObjectEvent<T extends object = KubeObject> {
  /** "generic": told of by a source of one's own, not by a watch. */
  readonly type: "added" | "updated" | "deleted" | "generic";
  /** "namespace/name", or "name" of a cluster-scoped object. */
  readonly key: string;
  readonly resourceVersion: string;
  readonly oldResourceVersion: string | undefined;
  /** The object was there when the watch began. */
  readonly isInInitialList: boolean;
  /** The deletion itself was not seen: the object is the last that was (client-go: DeletedFinalStateUnknown). */
  readonly isFinalStateUnknown: boolean;
  readonly object: T;
  /** Of an update: what it was before. */
  readonly old: T | undefined;
  readonly metadata: ObjectMeta;
  readonly oldMetadata: ObjectMeta | undefined;
}

/** An update, of which it is known what the object was before. */
export interface UpdateEvent<T extends object = KubeObject> extends ObjectEvent<T> {
  readonly type: "updated";
  readonly oldResourceVersion: string;
  readonly old: T;
  readonly oldMetadata: ObjectMeta;
}

/** For the compiler: the object itself is not looked at. */
export function isUpdate<T extends object>(event: ObjectEvent<T>): event is UpdateEvent<T> {
  return event.type === "updated";
}

/** An event of the type "generic", about an object that comes from somewhere else. */
export function genericEvent<T extends object>(object: T): ObjectEvent<T> {
  const { metadata = {} } = object as KubeObject;
  const { namespace, name = "", resourceVersion = "" } = metadata;
  return {
    type: "generic",
    key: namespace ? `${namespace}/${name}` : name,
    resourceVersion,
    oldResourceVersion: undefined,
    isInInitialList: false,
    isFinalStateUnknown: false,
    object,
    old: undefined,
    metadata,
    oldMetadata: undefined,
  };
}

/** The server's periodic reminder, or the cache's: nothing has changed. */
export function isResync({ type, resourceVersion, oldResourceVersion }: ObjectEvent<object>): boolean {
  return type === "updated" && resourceVersion === oldResourceVersion;
}
