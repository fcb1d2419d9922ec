/** The figures of an operator's process once it has settled. */
export interface OperatorFigures {
  /** Milliseconds from the spawn of the process to the answer to its last write. */
  readonly settle: number;
  /** The milliseconds of these until its manager was started. */
  readonly start: number;
  /** Milliseconds of all threads, from the start of the process until it was quiet. */
  readonly cpu: number;
  /** The peak of resident bytes. */
  readonly peakRss: number;
  readonly reconciles: number;
  /** Milliseconds that the 99th of 100 reconciles had been due before a worker took it. */
  readonly queueWait: number;
  /** Answers by method and status code, "POST 201": rest_client_requests_total of both libraries. */
  readonly requests: Readonly<Record<string, number>>;
  /** The parts of a Node's memory at the end. Linux only. */
  readonly memory?: Memory;
}

/** Resident bytes. */
export interface Memory {
  /** Mapped files: Node's own program. */
  readonly program: number;
  /** V8's reserved heap. */
  readonly heap: number;
  /** Everything else: buffers, code, stacks, malloc. */
  readonly rest: number;
}

export interface Writes {
  /** All sent writes, whatever their answer. */
  readonly sent: number;
  /** The writes that the server rejected: 409 and the like. */
  readonly inVain: number;
}

const reads = ["GET", "HEAD"];

/** For a manager without leader election and without Events: all writes are the reconciler's. */
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
