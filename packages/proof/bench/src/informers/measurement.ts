import type { ResourceName } from "./server/recording.ts";

/** From the informer's start until its handler has received every object. */
export interface SyncFigures {
  /** Milliseconds. */
  readonly wall: number;
  /** Milliseconds of all threads. */
  readonly cpu: number;
  /** The peak of resident bytes since the process began. */
  readonly peakRss: number;
  /** The longest time in milliseconds between two turns of a timer of one millisecond. 0: no event loop. */
  readonly stall: number;
}

/** A synced informer, and modifications as fast as it takes them. */
export interface EventFigures {
  readonly perSecond: number;
  /** Microseconds of all threads per event. */
  readonly cpu: number;
}

/**
 * A synced informer, and a modification every millisecond: microseconds from the server's write to the
 * handler.
 */
export interface LatencyFigures {
  readonly p50: number;
  readonly p99: number;
}

/** Bytes that a synced informer keeps for an object, after garbage collection. */
export interface KeptFigures {
  readonly bytes: number;
}

export interface Figures {
  sync: SyncFigures;
  events: EventFigures;
  latency: LatencyFigures;
  kept: KeptFigures;
}

export type Measure = keyof Figures;

/** The measurement of one fresh process. */
export interface Task<M extends Measure = Measure> {
  readonly measure: M;
  readonly subject: string;
  readonly resource: ResourceName;
  /** The number of objects. */
  readonly objects: number;
  /** The number of modifications, for `events` and `latency`. */
  readonly events: number;
  /** The file of a CPU profile (Node only). A profile costs time: these figures do not count. */
  readonly profile?: string;
}
