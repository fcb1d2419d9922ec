/** The requests that a fault applies to. A watch with initial events is a watch. */
export type Target = "list" | "watch" | "write" | "any";

/** A fault of one request. Networks, proxies, load balancers and servers cause all of them. */
export type Fault =
  /**
   * The server, or a proxy, rejects the request: 409, 410, 429, 500, 503, 504. `retryAfter` is in seconds.
   */
  | { kind: "status"; code: number; retryAfter?: number }
  /** "Too large resource version", from a lagging replica. */
  | { kind: "too large" }
  /** A proxy's page instead of an answer, with any status. */
  | { kind: "html"; code: number }
  | { kind: "refused" }
  /**
   * The connection breaks before the request arrives (not committed), or before its answer does (committed).
   */
  | { kind: "reset"; committed: boolean }
  /** No answer arrives; the client gives up. */
  | { kind: "silent"; committed: boolean }
  /** A list is answered like the last one, as by a cache in between, but not twice in a row. */
  | { kind: "stale" }
  /** Milliseconds on the way there and back: answers of parallel requests arrive in another order. */
  | { kind: "late"; before: number; after: number }
  /**
   * The body of an answer ends early (`share` of its bytes arrive), with an error or, as some proxies do,
   * without one.
   */
  | { kind: "half"; share: number; how: "reset" | "close" }
  /**
   * A stream ends after `afterLines` lines and a share of the next one: with an error, without one, or never.
   */
  | { kind: "cut"; afterLines: number; share: number; how: "reset" | "close" | "silence" }
  /** A stream ends after so many milliseconds, as by a proxy that limits long answers. */
  | { kind: "brief"; ms: number; how: "reset" | "close" }
  /** Each of the first lines of a stream arrives twice. */
  | { kind: "twice"; lines: number }
  /** A resumed stream begins with lines of an earlier one, as from an old replica. */
  | { kind: "old"; lines: number }
  /** An ERROR event after so many lines, and the end. */
  | { kind: "error event"; afterLines: number; code: number }
  /** A line that is no event after so many lines, and the end. */
  | { kind: "garbage"; afterLines: number; text: string };

/** Returns the fault as text for a trace. */
export function describe(fault: Fault): string {
  const { kind, ...rest } = fault;
  const details = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return details.length > 0 ? `${kind} (${details.join(", ")})` : kind;
}
