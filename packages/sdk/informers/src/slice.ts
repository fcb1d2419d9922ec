import { setImmediate } from "node:timers";

/** Milliseconds of synchronous work after which the event loop gets its turn. */
const longest = 5;

/**
 * Cuts long work into slices, so that timers, sockets and probes get their turn in between. Real time, and not a
 * `Clock`'s: what counts is how long the processor was busy, and nothing else depends on it.
 *
 * A turn of the event loop has one slice, whoever asks: the process has one thread. Those who wait get a turn each, one
 * after the other.
 */
export interface Slice {
  /** Work begins, after a wait of any kind. */
  begin(): void;
  isOver(): boolean;
  /** Resolves after the event loop has had its turn; the next slice has begun. */
  next(): Promise<void>;
}

/** When the slice of this turn began. */
let began = 0;
/** A slice has begun, and ends with this turn. */
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

/** The process's. */
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
