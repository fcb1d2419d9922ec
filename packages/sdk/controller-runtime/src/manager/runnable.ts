/**
 * Something that a manager starts and stops (Go: manager.Runnable, LeaderElectionRunnable, WarmupRunnable).
 *
 * It runs until the signal aborts, and resolves when it has ended; it may end earlier. When it rejects, the manager stops
 * everything and its `start` rejects with the same error.
 */
export interface Runnable {
  /** For the log. */
  readonly name?: string;
  start(signal: AbortSignal): Promise<void>;
  /** Run only while leading. Default true. */
  readonly needLeaderElection?: boolean;
  /** Before leadership is won, for everybody: resolves when it is done. */
  warmup?(signal: AbortSignal): Promise<void>;
  /**
   * When it starts, and stops in the opposite order: servers that probes and metrics ask, then webhooks (caches may need
   * conversion), then caches. Default: what others are, after those.
   */
  readonly group?: "httpServers" | "webhooks" | "caches";
  /** Of those groups: resolves when the next one may start. */
  ready?(signal: AbortSignal): Promise<void>;
}
