/** What is known of a reflector's connection, for readiness and metrics. */
export interface ReflectorHealth {
  /** When the last byte came from the server, in milliseconds since the epoch; 0 before the first. */
  lastContact: number;
  /** Milliseconds since then by the steady clock, which nobody sets; undefined before the first. */
  silentFor: number | undefined;
  /** The last failure, also after it was recovered from: `failures` tells whether it was. */
  lastError: Error | undefined;
  /** In a row: 0 as soon as a list has come, or a watch is open (unless it breaks before it has brought anything). */
  failures: number;
  /** How it begins next, or has begun, and why: "resume: everything is known". For people. */
  next: string;
  /** As of the last list, event or bookmark; "" before. */
  resourceVersion: string;
  /** Lists that were begun, in pages. Initial objects that came as a stream are none. */
  lists: number;
  /** Watches that were begun. */
  watches: number;
}
