/** What an operator's process says of itself once it has settled. */
export interface OperatorFigures {
  /** Milliseconds from the moment at which the process was asked for until its last write was answered. */
  readonly settle: number;
  /** Milliseconds of that until its manager was started. */
  readonly start: number;
  /** Milliseconds of all threads, since the process began and until it was quiet. */
  readonly cpu: number;
  /** Bytes resident at most. */
  readonly peakRss: number;
  readonly reconciles: number;
  /** Milliseconds that the 99th of 100 reconciles had been due before a worker took it. */
  readonly queueWait: number;
  /** Answers by method and status code, "POST 201"; that is rest_client_requests_total of both libraries. */
  readonly requests: Readonly<Record<string, number>>;
  /** Where the memory of a Node is, in the end. Linux only. */
  readonly memory?: Memory;
}

/** Bytes resident. */
export interface Memory {
  /** Of mapped files: Node's own program. */
  readonly program: number;
  /** V8's heap, as it is reserved. */
  readonly heap: number;
  /** Everything else: buffers, code, stacks, what malloc keeps. */
  readonly rest: number;
}

export interface Writes {
  /** All that were sent, whatever came of them. */
  readonly sent: number;
  /** What the server refused: 409 and the like. */
  readonly inVain: number;
}

const reads = ["GET", "HEAD"];

/** Of a manager without leader election and without Events: all of them are the reconciler's. */
export function writesOf({ requests }: Pick<OperatorFigures, "requests">): Writes {
  let sent = 0;
  let inVain = 0;
  for (const [key, count] of Object.entries(requests)) {
    const [method = "", code = ""] = key.split(" ");
    if (reads.includes(method)) continue;
    sent += count;
    if (!code.startsWith("2")) inVain += count;
  }
  return { sent, inVain };
}

/** A Deployment, a Service and a status for each object. */
export const writesNeeded = (objects: number): number => 3 * objects;
