import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { flagsOf, type HistoryKind, type Outcome } from "./history-kind.ts";

export interface ManyOptions {
  kind: HistoryKind;
  /** The first seed. */
  from: number;
  /** How many seeds. */
  count: number;
  /** Ends with the first failure, on one thread: it is the failure of the lowest seed. */
  first?: boolean;
  /** Threads. Default: one a core, 4 at most. */
  workers?: number;
  /** Called after each history with its seed and the number of histories that have ended. */
  onDone?(seed: number, done: number): void;
  /** Ends the run after the histories that are running. */
  signal?: AbortSignal;
}

/** The sum over many histories; `recovery` is that of the slowest one. */
export interface Summary extends Omit<Outcome, "problems"> {
  histories: number;
  failed: number;
  seconds: number;
}

/** The input of a thread. */
export interface Work {
  kind: HistoryKind;
  /** One number, shared by all threads: the next seed. */
  next: Int32Array;
  /** The seed after the last one. */
  end: number;
}

/**
 * Runs many histories, as many at a time as there are cores. Prints a line that repeats it for each failure.
 */
export async function runMany(options: ManyOptions, print: (line: string) => void): Promise<Summary> {
  const { kind, from, count, first = false, onDone = () => {}, signal } = options;
  const begun = performance.now();
  const sum: Summary = { histories: 0, failed: 0, seconds: 0, counts: {}, simulated: 0 };
  const next = new Int32Array(new SharedArrayBuffer(4));
  next[0] = from;
  const end = from + count;
  const stop = () => Atomics.store(next, 0, end);
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });

  function onOutcome(seed: number, { problems, counts, simulated, recovery }: Outcome): void {
    sum.histories++;
    for (const [name, value] of Object.entries(counts)) sum.counts[name] = (sum.counts[name] ?? 0) + value;
    sum.simulated += simulated;
    if (recovery !== undefined) sum.recovery = Math.max(sum.recovery ?? 0, recovery);
    onDone(seed, sum.histories);
    if (problems.length === 0) return;
    sum.failed++;
    if (first && sum.failed > 1) return;
    const replay = ["pnpm proof faults", ...flagsOf[kind], "--seed", seed].join(" ");
    print(`✗ seed ${seed}: ${problems.join("\n    ")}\n  replay: ${replay}`);
    if (first) stop();
  }

  const cores = first ? 1 : Math.min(4, availableParallelism());
  await Promise.all(
    Array.from({ length: Math.min(options.workers ?? cores, count) }, () => {
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

/** Returns the summary as one line for the terminal. */
export function oneLine({ histories, failed, seconds, counts, simulated, recovery }: Summary): string {
  const done = Object.entries(counts).map(([name, value]) => `${value} ${name}`);
  done.push(`${(simulated / 3_600_000).toFixed(0)} simulated hours`);
  if (recovery !== undefined) done.push(`slowest recovery ${recovery / 1_000} s`);
  return `${histories} histories, ${failed} failed, ${seconds.toFixed(1)} s: ${done.join(", ")}`;
}

/** Returns the summary as rows of a report. */
export function rowsOf(summary: Summary): [string, string | number][] {
  const { histories, failed, seconds, counts, simulated, recovery } = summary;
  const rows: [string, string | number][] = [
    ["Histories", histories],
    ["Failed", failed],
    ["Seconds", seconds.toFixed(1)],
    ...Object.entries(counts).map(([name, value]): [string, number] => [labels[name] ?? name, value]),
    ["Simulated hours", (simulated / 3_600_000).toFixed(0)],
  ];
  if (recovery !== undefined)
    rows.push(["Slowest recovery after the last fault, simulated seconds", recovery / 1_000]);
  return rows;
}

const labels: Readonly<Record<string, string>> = {
  acts: "Actions of leaders",
  changes: "Changes of the leader",
  crashes: "Killed processes",
  events: "Events that handlers received",
  faults: "Faults that happened",
  lives: "Processes",
  lost: "Managers that lost their Lease",
  reconciles: "Reconciles",
  refused: "Writes that the server rejected",
  requests: "Requests",
  writes: "Writes, without Leases and Events",
};
