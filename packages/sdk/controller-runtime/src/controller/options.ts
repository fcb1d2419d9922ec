import type { RateLimiter } from "@operator-path/informers";

/** Go: controller.Options. Durations are milliseconds. */
export interface ControllerOptions {
  /** Requests that are reconciled at the same time. Default 1. */
  maxConcurrentReconciles?: number | undefined;
  /** The back-off of failures. Default: from 5 ms, doubling, to 1,000 s. One that is shared counts for all who share it. */
  rateLimiter?: RateLimiter<string> | undefined;
  /**
   * Fresh changes come before what is only looked at again (initial lists, resyncs). Default true. false: client-go's
   * queue, with its overall limit of 10 retries a second.
   */
  usePriorityQueue?: boolean | undefined;
  /** A reconcile that takes longer has its signal aborted. Default: none. It is waited for all the same. */
  reconciliationTimeout?: number | undefined;
  /** A watch that has no first list by then fails the controller, and with it the manager. Default 120,000. */
  cacheSyncTimeout?: number | undefined;
  /**
   * What a throw of the program's own does (a TypeError, a ReferenceError, a RangeError; something that is no Error).
   * true, the default: it is an error like any other, and counts as a panic as well. false: it ends the manager.
   */
  recoverPanic?: boolean | undefined;
  /** Reconcile only while leading. Default true. */
  needLeaderElection?: boolean | undefined;
  /** Fill caches and queue before leadership is won, so that the next leader begins at once. Default false. */
  enableWarmup?: boolean | undefined;
  /** Allow a name that another controller of the same metrics has. For tests. */
  skipNameValidation?: boolean | undefined;
}

/** With its defaults. @throws RangeError naming the option that does not fit */
export function controllerOptions(given: ControllerOptions, name: string) {
  const {
    maxConcurrentReconciles = 1,
    cacheSyncTimeout = 120_000,
    usePriorityQueue = true,
    recoverPanic = true,
    needLeaderElection = true,
    enableWarmup = false,
    reconciliationTimeout,
  } = given;
  if (!Number.isInteger(maxConcurrentReconciles) || maxConcurrentReconciles < 1) {
    throw new RangeError(
      `controller ${name}: maxConcurrentReconciles is ${maxConcurrentReconciles}: give a whole number from 1`,
    );
  }
  for (const [option, value] of Object.entries({ cacheSyncTimeout, reconciliationTimeout })) {
    if (value !== undefined && !(value > 0)) {
      throw new RangeError(
        `controller ${name}: ${option} is ${value}: give milliseconds above 0, or leave it out`,
      );
    }
  }
  return {
    ...{ maxConcurrentReconciles, cacheSyncTimeout, usePriorityQueue, recoverPanic },
    ...{ needLeaderElection, enableWarmup, reconciliationTimeout },
  };
}
