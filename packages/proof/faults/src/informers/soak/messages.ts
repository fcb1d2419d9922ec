/** Messages between the processes of a soak: plain data. */

/** The address of the server, through the proxy. */
export interface Access {
  readonly url: string;
  readonly caCertificate: string;
  readonly token: string;
}

export type AskWorld =
  | { do: "start"; seed: string; objects: number; writesPerSecond: number; calm: boolean }
  /** Pauses writes and blackouts, then lists everything. Does not pause during a blackout. */
  | { do: "pause"; deep: boolean }
  | { do: "resume" };

export interface WorldAnswer {
  readonly access: Access;
  /** Lines `key uid resourceVersion digest`, the digest only if deep; undefined without a pause. */
  readonly list: string | undefined;
  readonly writes: number;
  readonly deletions: number;
  /** The number of connections through the proxy. */
  readonly connections: number;
  readonly blackouts: number;
  /** Bytes of the process with server, proxy and churn. */
  readonly rss: number;
}

export type AskSubject =
  | { do: "start"; access: Access; silence: number }
  | { do: "sample" }
  /** Waits until every cache and every handler's replay equals the list. */
  | { do: "compare"; list: string; deep: boolean; within: number };

export interface Sample {
  /** Bytes after a full garbage collection. */
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
  readonly sockets: number;
  readonly timers: number;
  /** The number of events that handlers of all informers have received. */
  readonly events: number;
  /** The number of failures that informers recovered from. */
  readonly failures: number;
}

export interface SubjectAnswer {
  readonly sample?: Sample;
  /** Problems, one sentence each. */
  readonly wrong: readonly string[];
  /** Milliseconds until everything was equal. */
  readonly settled?: number;
}
