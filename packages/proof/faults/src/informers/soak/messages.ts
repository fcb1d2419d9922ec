/** What the parts of a soak say to each other: plain data, since they are processes. */

/** Where the subject finds the server: through the proxy. */
export interface Access {
  readonly url: string;
  readonly caCertificate: string;
  readonly token: string;
}

export type AskWorld =
  | { do: "start"; seed: string; objects: number; writesPerSecond: number; calm: boolean }
  /** No writes, no blackout; then a list of everything. In the middle of a blackout there is no pause. */
  | { do: "pause"; deep: boolean }
  | { do: "resume" };

export interface WorldAnswer {
  readonly access: Access;
  /** Lines `key uid resourceVersion digest`, the digest only when deep. undefined: there was no pause. */
  readonly list: string | undefined;
  readonly writes: number;
  readonly deletions: number;
  /** Connections that the proxy has seen. */
  readonly connections: number;
  readonly blackouts: number;
  /** Bytes, of the process with server, proxy and churn. */
  readonly rss: number;
}

export type AskSubject =
  | { do: "start"; access: Access; silence: number }
  | { do: "sample" }
  /** Waits until every cache and every handler's replay equals the list. */
  | { do: "compare"; list: string; deep: boolean; within: number };

export interface Sample {
  /** Bytes, after a full garbage collection. */
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
  readonly sockets: number;
  readonly timers: number;
  /** Events that handlers have been told, of all informers. */
  readonly events: number;
  /** Failures that informers recovered from. */
  readonly failures: number;
}

export interface SubjectAnswer {
  readonly sample?: Sample;
  /** What was not as it should be, in words. */
  readonly wrong: readonly string[];
  /** Milliseconds that it took until everything was equal. */
  readonly settled?: number;
}
