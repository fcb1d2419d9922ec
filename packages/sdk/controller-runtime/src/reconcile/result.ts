/**
 * What is to be done after a reconcile that did not throw (Go: reconcile.Result). Nothing, by default: the next change
 * brings the next reconcile.
 */
export interface Result {
  /** Reconcile again after so many milliseconds, whatever happens until then; 0 counts as none. Ends the back-off. */
  requeueAfter?: number | undefined;
  /** @deprecated As in Go: the pace is the rate limiter's. Say `requeueAfter`, or throw. */
  requeue?: boolean | undefined;
  /** Of the next reconcile: higher comes first. Default: that of this one. */
  priority?: number | undefined;
}
