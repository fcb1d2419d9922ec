/**
 * The reason why a request was enqueued:
 * - "initialList": the object existed when the watch began.
 * - "resync": nothing changed, everything is reconciled again.
 * - "generic": a custom source.
 * - "backoff": the last reconcile failed, or returned `requeue`.
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

/** One event that enqueued a request. */
export interface Trigger {
  readonly trigger: ReconcileTrigger;
  /** The kind of the changed object: "Deployment". */
  readonly resource?: string;
  /** The changed object: "namespace/name". */
  readonly object?: string;
  readonly oldResourceVersion?: string;
  /** For a deletion that the watch reported, the version of the deletion. */
  readonly resourceVersion?: string;
}

/** Why this reconcile runs. With several triggers, this is the first one, and `count` is their number. */
export interface ReconcileCause extends Trigger {
  /** The number of triggers that this reconcile answers, at least 1. */
  readonly count: number;
  /** Whole milliseconds between the time the request was due and the time a worker took it. */
  readonly queuedFor: number;
  /** The number of consecutive failures before this reconcile. */
  readonly retries: number;
}
