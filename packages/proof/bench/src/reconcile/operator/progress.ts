import { setTimeout as sleep } from "node:timers/promises";
import type { OperationResult } from "@operator-path/controller-runtime";

/**
 * Milliseconds without a write after which the operator counts as settled, as in peers/controller-runtime.
 */
const quiet = 2_000;

/** Counts reconciles and writes, and remembers the time of the last write. */
export interface Progress {
  /** @param queuedFor milliseconds */
  reconciled(queuedFor: number): void;
  operation(result: OperationResult): void;
  /** Called when an object is complete: its status is the last of the three writes. */
  finished(key: string): void;
  readonly queueWaits: readonly number[];
  /** Resolves to the time of the last write, once all objects are done and no write followed for a while. */
  settled(): Promise<number>;
}

/** @param now milliseconds */
export function createProgress(objects: number, now: () => number): Progress {
  const queueWaits: number[] = [];
  const done = new Set<string>();
  let lastWrite = 0;
  const wrote = () => {
    lastWrite = now();
  };
  return {
    queueWaits,
    reconciled: (queuedFor) => void queueWaits.push(queuedFor),
    operation(result) {
      if (result !== "unchanged") wrote();
    },
    finished(key) {
      wrote();
      done.add(key);
    },
    async settled() {
      while (done.size < objects || now() - lastWrite < quiet) await sleep(50);
      return lastWrite;
    },
  };
}
