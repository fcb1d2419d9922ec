/** The state of a reflector's connection, for readiness probes and metrics. */
export interface ReflectorHealth {
  /** When the last byte arrived from the server, in milliseconds since the epoch. 0 before the first byte. */
  lastContact: number;
  /**
   * Milliseconds since the last byte, by the steady clock, which is never set. Undefined before the first
   * byte.
   */
  silentFor: number | undefined;
  /** The last failure. It stays after a recovery: `failures` tells whether the reflector has recovered. */
  lastError: Error | undefined;
  /**
   * Consecutive failures. Resets to 0 when a list arrives or a watch opens. If that watch breaks before its
   * first event, the old count returns.
   */
  failures: number;
  /** How the reflector connects next, and why, for people: "resume: list complete". */
  next: string;
  /** The resourceVersion of the last list, event or bookmark. "" before the first. */
  resourceVersion: string;
  /** Number of lists in pages that were started. Streams of initial objects do not count. */
  lists: number;
  /** Number of watches that were started. */
  watches: number;
}
