import { setTimeout as sleep } from "node:timers/promises";
import type { OperationResult } from "@operator-path/controller-runtime";

/** Milliseconds in which nothing is written before the operator counts as settled; those of peers/controller-runtime. */
const quiet = 2_000;

/** What was reconciled and written, and when last. */
export interface Progress {
  /** @param queuedFor milliseconds */
  reconciled(queuedFor: number): void;
  operation(result: OperationResult): void;
  /** An object has all that it needs: its status is the last of the three writes. */
  finished(key: string): void;
  readonly queueWaits: readonly number[];
  /** Resolves with when the last write was, once all objects are done and nothing was written for a while. */
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
