import type { KubeObject, ObjectMeta } from "@operator-path/client";

/**
 * A change of an object. Only `object` and `old` parse the whole object: with a lazy cache, handlers and
 * predicates that do not read them cost no parsing. Go: event.CreateEvent, UpdateEvent, DeleteEvent,
 * GenericEvent.
 */
export interface ObjectEvent<T extends object = KubeObject> {
  /** "generic": sent by a custom source, not by a watch. */
  readonly type: "added" | "updated" | "deleted" | "generic";
  /** "namespace/name", or "name" for a cluster-scoped object. */
  readonly key: string;
  readonly resourceVersion: string;
  readonly oldResourceVersion: string | undefined;
  /** Whether the object existed when the watch began. */
  readonly isInInitialList: boolean;
  /**
   * Whether the watch missed the deletion. Then the object is the last known state.
   * client-go: DeletedFinalStateUnknown.
   */
  readonly isFinalStateUnknown: boolean;
  readonly object: T;
  /** The previous object of an update. */
  readonly old: T | undefined;
  readonly metadata: ObjectMeta;
  readonly oldMetadata: ObjectMeta | undefined;
}

/** An update. Its previous object is always set. */
export interface UpdateEvent<T extends object = KubeObject> extends ObjectEvent<T> {
  readonly type: "updated";
  readonly oldResourceVersion: string;
  readonly old: T;
  readonly oldMetadata: ObjectMeta;
}

/** Narrows the type. Does not read the object. */
export function isUpdate<T extends object>(event: ObjectEvent<T>): event is UpdateEvent<T> {
  return event.type === "updated";
}

/** Creates an event of type "generic" for an object from another source. */
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

/** Returns whether an update is a resync of the cache or the server, without a change. */
export function isResync({ type, resourceVersion, oldResourceVersion }: ObjectEvent<object>): boolean {
  return type === "updated" && resourceVersion === oldResourceVersion;
}
