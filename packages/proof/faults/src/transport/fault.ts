/** Which requests a fault is for. A watch with initial events is a watch. */
export type Target = "list" | "watch" | "write" | "any";

/** What happens to one request. All of it is what networks, proxies, load balancers and servers do. */
export type Fault =
  /** The server, or something before it, refuses: 409, 410, 429, 500, 503, 504. Seconds in `retryAfter`. */
  | { kind: "status"; code: number; retryAfter?: number }
  /** "Too large resource version", from a replica that lags behind. */
  | { kind: "too large" }
  /** A proxy's page instead of an answer, with whatever status it likes. */
  | { kind: "html"; code: number }
  | { kind: "refused" }
  /** The connection breaks before the request is heard (not committed), or before its answer is (committed). */
  | { kind: "reset"; committed: boolean }
  /** Nobody answers; the client gives up. */
  | { kind: "silent"; committed: boolean }
  /** A list is answered as it was the time before, as by a cache in between; not twice in a row. */
  | { kind: "stale" }
  /** Milliseconds on the way there and back: answers of parallel requests come in another order. */
  | { kind: "late"; before: number; after: number }
  /** The body of an answer ends early (`share` of its bytes arrive), with an error or, as of some proxies, without. */
  | { kind: "half"; share: number; how: "reset" | "close" }
  /** A stream ends after so many lines and a share of the next one, with an error, without one, or never. */
  | { kind: "cut"; afterLines: number; share: number; how: "reset" | "close" | "silence" }
  /** A stream ends after so many milliseconds, as by a proxy that does not like long answers. */
  | { kind: "brief"; ms: number; how: "reset" | "close" }
  /** Each of the first lines of a stream comes twice. */
  | { kind: "twice"; lines: number }
  /** A resumed stream begins with lines that an earlier one has brought: an old replica's. */
  | { kind: "old"; lines: number }
  /** After so many lines an ERROR event, and the end. */
  | { kind: "error event"; afterLines: number; code: number }
  /** After so many lines one that is no event, and the end. */
  | { kind: "garbage"; afterLines: number; text: string };

/** The same, as a person reads it in a trace. */
export function describe(fault: Fault): string {
  const { kind, ...rest } = fault;
  const details = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return details.length > 0 ? `${kind} (${details.join(", ")})` : kind;
}
