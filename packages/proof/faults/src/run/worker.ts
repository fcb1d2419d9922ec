/** A thread of `runMany`: runs histories until no seed is left. */
import { parentPort, workerData } from "node:worker_threads";
import { loadHistories } from "./histories.ts";
import type { Work } from "./run-many.ts";

const { kind, next, end } = workerData as Work;
const draw = await loadHistories(kind);
for (let seed = Atomics.add(next, 0, 1); seed < end; seed = Atomics.add(next, 0, 1)) {
  parentPort?.postMessage({ seed, outcome: await draw(seed).run() });
}
