import type { ResourceName } from "./server/recording.ts";

/** From the informer's start until its handler has been told of every object. */
export interface SyncFigures {
  /** Milliseconds. */
  readonly wall: number;
  /** Milliseconds of all threads. */
  readonly cpu: number;
  /** Bytes resident at most, since the process began. */
  readonly peakRss: number;
  /** Milliseconds between two turns of a timer of one millisecond, at most. 0: it has no event loop. */
  readonly stall: number;
}

/** A synced informer, and modifications as fast as it takes them. */
export interface EventFigures {
  readonly perSecond: number;
  /** Microseconds of all threads, an event. */
  readonly cpu: number;
}

/** A synced informer, and a modification every millisecond: microseconds from the server's write to the handler. */
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

/** What one fresh process measures. */
export interface Task<M extends Measure = Measure> {
  readonly measure: M;
  readonly subject: string;
  readonly resource: ResourceName;
  /** Objects that there are. */
  readonly objects: number;
  /** Modifications, of `events` and `latency`. */
  readonly events: number;
  /** Where to write a CPU profile of what is measured (Node only). A profile costs time: these figures do not count. */
  readonly profile?: string;
}
