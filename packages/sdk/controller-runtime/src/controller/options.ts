import type { RateLimiter } from "@operator-path/informers";

/** Configures a controller. Durations are milliseconds. Go: controller.Options. */
export interface ControllerOptions {
  /** The maximum number of concurrent reconciles. Default 1. */
  maxConcurrentReconciles?: number | undefined;
  /**
   * The back-off after failures. Default: 5 ms, doubling up to 1,000 s. Controllers that share a limiter
   * share its limits.
   */
  rateLimiter?: RateLimiter<string> | undefined;
  /**
   * Handles changes before resyncs and initial lists. Default true. false uses client-go's queue, with its
   * overall limit of 10 retries per second.
   */
  usePriorityQueue?: boolean | undefined;
  /**
   * Aborts the signal of a reconcile that takes longer, and still waits for it to return. Default: no limit.
   */
  reconciliationTimeout?: number | undefined;
  /** Fails the controller, and so the manager, when a watch has no first list by then. Default 120,000. */
  cacheSyncTimeout?: number | undefined;
  /**
   * How to handle what Go would panic at: a TypeError, ReferenceError, RangeError or a value that is not an
   * Error. true, the default: retry as for any error, and also count a panic. false: end the manager.
   */
  recoverPanic?: boolean | undefined;
  /** Reconciles only while leading. Default true. */
  needLeaderElection?: boolean | undefined;
  /** Fills caches and queue before this replica leads, so that it can start at once. Default false. */
  enableWarmup?: boolean | undefined;
  /** Allows a name that another controller with the same metrics has. For tests. */
  skipNameValidation?: boolean | undefined;
}

/**
 * Returns the options with their defaults.
 *
 * @throws RangeError naming an invalid option
 */
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
      `controller ${name}: maxConcurrentReconciles is ${maxConcurrentReconciles}: set a whole number of at least 1`,
    );
  }
  for (const [option, value] of Object.entries({ cacheSyncTimeout, reconciliationTimeout })) {
    if (value !== undefined && !(value > 0)) {
      throw new RangeError(
        `controller ${name}: ${option} is ${value}: set milliseconds above 0, or leave it out`,
      );
    }
  }
  return {
    ...{ maxConcurrentReconciles, cacheSyncTimeout, usePriorityQueue, recoverPanic },
    ...{ needLeaderElection, enableWarmup, reconciliationTimeout },
  };
}
