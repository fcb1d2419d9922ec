import type { KubeObject, Resource } from "@operator-path/client";
import type { ObjectKey } from "../client/object-key.ts";

/** A stored write, with everything that a cache needs to wait for it. */
export interface Write {
  readonly resource: Resource;
  readonly key: ObjectKey;
  /** The version after the write. A write that changed nothing returns the previous version. */
  readonly resourceVersion?: string | undefined;
  /** The stored object, if the server returned it. Tells whether a cache selects it. */
  readonly object?: KubeObject | undefined;
  /** The UID of the object that this write removed. */
  readonly removed?: string | undefined;
}
