/**
 * What makes a request come up. "initialList": the object was there when the watch began. "resync": it has not changed,
 * and everything is looked at again. "generic": a source of one's own. "backoff": the last reconcile failed, or asked
 * for `requeue`.
 */
export type ReconcileTrigger =
  | "initialList"
  | "added"
  | "updated"
  | "deleted"
  | "resync"
  | "generic"
  | "requeueAfter"
  | "backoff";

/** One thing that made a request come up. */
export interface Trigger {
  readonly trigger: ReconcileTrigger;
  /** The kind of the object that changed: "Deployment". */
  readonly resource?: string;
  /** The object that changed: "namespace/name". */
  readonly object?: string;
  readonly oldResourceVersion?: string;
  /** Of a deletion that was seen: the deletion's. */
  readonly resourceVersion?: string;
}

/** Why this reconcile came. Of several triggers for one request it is the first; `count` tells of the others. */
export interface ReconcileCause extends Trigger {
  /** Triggers that this one reconcile answers, at least 1. */
  readonly count: number;
  /** Whole milliseconds from when the request was due until a worker took it. */
  readonly queuedFor: number;
  /** Failures in a row, before this reconcile. */
  readonly retries: number;
}
