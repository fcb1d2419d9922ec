import type { KubeObject, Resource } from "@operator-path/client";
import type { ObjectKey } from "../client/object-key.ts";

/** A write that the server has made: what a cache has to know to wait for it. */
export interface Write {
  readonly resource: Resource;
  readonly key: ObjectKey;
  /** That the write has made. A write that changed nothing has the version that there was. */
  readonly resourceVersion?: string | undefined;
  /** The object as it is stored, if the answer was that: whether a cache selects it. */
  readonly object?: KubeObject | undefined;
  /** UID of the object that does not exist any more for this write. */
  readonly removed?: string | undefined;
}
