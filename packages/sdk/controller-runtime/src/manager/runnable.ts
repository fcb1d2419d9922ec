/**
 * A component that a manager starts and stops. Go: manager.Runnable, LeaderElectionRunnable, WarmupRunnable.
 *
 * It runs until the signal aborts, and resolves when it has ended. It may end earlier. If it rejects, the
 * manager stops everything and its `start` rejects with the same error.
 */
export interface Runnable {
  /** The name in the log. */
  readonly name?: string;
  start(signal: AbortSignal): Promise<void>;
  /** Runs only while this process leads. Default true. */
  readonly needLeaderElection?: boolean;
  /** Runs before leadership is won, on every replica. Resolves when it is done. */
  warmup?(signal: AbortSignal): Promise<void>;
  /**
   * When it starts; stopping is in reverse. First come the servers of probes and metrics, then webhooks
   * (caches may need conversion), then caches. Default: after these three.
   */
  readonly group?: "httpServers" | "webhooks" | "caches";
  /** For these groups: resolves when the next group may start. */
  ready?(signal: AbortSignal): Promise<void>;
}
