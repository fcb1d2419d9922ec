/**
 * Tells the controller what to do after a reconcile that did not throw. Default: wait for the next change.
 * Go: reconcile.Result.
 */
export interface Result {
  /** Reconciles again after this many milliseconds, and ends the back-off. 0 means not set. */
  requeueAfter?: number | undefined;
  /** @deprecated As in Go: the rate limiter sets the delay. Use `requeueAfter`, or throw. */
  requeue?: boolean | undefined;
  /** The priority of the next reconcile, higher first. Default: that of this one. */
  priority?: number | undefined;
}
