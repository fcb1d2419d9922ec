/** A thread of `runMany`. */
import { parentPort, workerData } from "node:worker_threads";
import type { Work } from "./run-many.ts";
import { runSeed } from "./run-seed.ts";

const { kind, next, end } = workerData as Work;
for (let seed = Atomics.add(next, 0, 1); seed < end; seed = Atomics.add(next, 0, 1)) {
  parentPort?.postMessage({ seed, outcome: await runSeed(kind, seed) });
}
