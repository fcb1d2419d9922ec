import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Outcome } from "./outcome.ts";

/** Which histories: those of single managers, or of pairs with one Lease. */
export type Kind = "managers" | "pairs";

export interface ManyOptions {
  kind: Kind;
  from: number;
  count: number;
  /** The first failure is enough. */
  first?: boolean;
  /** Threads. Default: one a core, 4 at most. */
  workers?: number;
  /** Told of each history that has ended. */
  onDone?(seed: number, done: number): void;
  /** Ends it after the histories that are running. */
  signal?: AbortSignal;
}

export interface Summary extends Omit<Outcome, "problems"> {
  histories: number;
  failed: number;
  seconds: number;
}

/** What a thread is given: it takes seeds from `next` until there is none. */
export interface Work {
  kind: Kind;
  /** One number: the next seed. */
  next: Int32Array;
  end: number;
}

/** Many histories, as many at a time as there are cores, each failure with the line that repeats it. */
export async function runMany(options: ManyOptions, print: (line: string) => void): Promise<Summary> {
  const { kind, from, count, first = false, onDone = () => {}, signal } = options;
  const begun = performance.now();
  const sum: Summary = { histories: 0, failed: 0, seconds: 0, counts: {}, simulated: 0, recovery: 0 };
  const next = new Int32Array(new SharedArrayBuffer(4));
  next[0] = from;
  const end = from + count;
  const stop = () => Atomics.store(next, 0, end);
  signal?.addEventListener("abort", stop, { once: true });

  function onOutcome(seed: number, { problems, counts, simulated, recovery }: Outcome): void {
    sum.histories++;
    for (const [name, value] of Object.entries(counts)) sum.counts[name] = (sum.counts[name] ?? 0) + value;
    sum.simulated += simulated;
    sum.recovery = Math.max(sum.recovery, recovery);
    onDone(seed, sum.histories);
    if (problems.length === 0) return;
    sum.failed++;
    const flags = kind === "pairs" ? "--managers --pairs" : "--managers";
    print(`✗ seed ${seed}: ${problems.join("\n    ")}\n  replay: pnpm proof faults ${flags} --seed ${seed}`);
    if (first) stop();
  }

  const threads = Math.min(options.workers ?? Math.min(4, availableParallelism()), count);
  await Promise.all(
    Array.from({ length: threads }, () => {
      const workerData: Work = { kind, next, end };
      const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData });
      worker.on("message", ({ seed, outcome }: { seed: number; outcome: Outcome }) =>
        onOutcome(seed, outcome),
      );
      return new Promise<void>((resolve, reject) => {
        worker.once("error", reject);
        worker.once("exit", () => resolve());
      });
    }),
  );
  signal?.removeEventListener("abort", stop);
  sum.seconds = (performance.now() - begun) / 1_000;
  return sum;
}

export function oneLine({ histories, failed, seconds, counts, simulated, recovery }: Summary): string {
  const done = Object.entries(counts).map(([name, value]) => `${value} ${name}`);
  const time = `${(simulated / 3_600_000).toFixed(0)} simulated hours, slowest recovery ${recovery / 1_000} s`;
  return `${histories} histories, ${failed} failed, ${seconds.toFixed(1)} s: ${done.join(", ")}, ${time}`;
}

/** For a report. */
export function rowsOf({
  histories,
  failed,
  seconds,
  counts,
  simulated,
  recovery,
}: Summary): [string, string | number][] {
  return [
    ["Histories", histories],
    ["Failed", failed],
    ["Seconds", seconds.toFixed(1)],
    ...Object.entries(counts).map(([name, value]): [string, number] => [whatIs[name] ?? name, value]),
    ["Simulated hours", (simulated / 3_600_000).toFixed(0)],
    ["Slowest recovery after the last fault, simulated seconds", recovery / 1_000],
  ];
}

const whatIs: Record<string, string> = {
  reconciles: "Reconciles",
  requests: "Requests",
  writes: "Writes, Leases and Events aside",
  refused: "Writes that the server refused",
  faults: "Faults that happened",
  crashes: "Processes that were killed",
  acts: "Times that a leader changed something",
  changes: "Times that another one did than before",
  lives: "Processes",
  lost: "Managers that lost their Lease",
};
