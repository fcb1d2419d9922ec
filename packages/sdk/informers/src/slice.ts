import { setImmediate } from "node:timers";

/** Milliseconds of synchronous work after which the event loop gets a turn. */
const longest = 5;

/**
 * Cuts long work into time slices, so that timers, sockets and probes run in between. It measures real time
 * instead of a `Clock`'s: only the time that the processor was busy counts, and nothing else depends on it.
 *
 * The process has one thread, so all callers share one slice per turn of the event loop. Waiting callers get
 * one turn each, in order.
 */
export interface Slice {
  /** Starts a slice. Call it when work begins after a wait. */
  begin(): void;
  isOver(): boolean;
  /** Resolves after a turn of the event loop. The next slice has then begun. */
  next(): Promise<void>;
}

/** When this turn's slice began. */
let began = 0;
/** A slice has begun in this turn. */
let isOpen = false;
const waiting: (() => void)[] = [];

function open(): void {
  isOpen = true;
  began = performance.now();
  setImmediate(turn);
}

function turn(): void {
  isOpen = false;
  const first = waiting.shift();
  if (!first) return;
  open();
  first();
}

/** The slice of this process. */
export const slice: Slice = {
  begin() {
    if (!isOpen) open();
  },
  isOver() {
    if (isOpen) return performance.now() - began > longest;
    open();
    return false;
  },
  next() {
    if (!isOpen) open();
    return new Promise<void>((resolve) => waiting.push(resolve));
  },
};
