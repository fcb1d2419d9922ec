import { drawHistory } from "./draw.ts";
import { runHistory } from "./run-history.ts";
import { keep, shrink } from "./shrink.ts";
import { printStep, type Step } from "./steps.ts";

type Print = (line: string) => void;

export interface ReplayOptions {
  seed: number;
  /** These steps alone. */
  keep?: number[];
  /** Find out first which steps it fails without. */
  shrink?: boolean;
}

/** One history with all that happens in it. Returns how many problems it has. */
export async function replay(
  { seed, keep: kept, shrink: smaller }: ReplayOptions,
  print: Print,
): Promise<number> {
  const whole = drawHistory(seed);
  const unknown = kept?.filter((number) => number >= whole.steps.length) ?? [];
  if (unknown.length > 0) {
    print(`✗ --keep ${unknown}: the history of seed ${seed} has steps 0 to ${whole.steps.length - 1}`);
    return 1;
  }
  let numbers = kept ?? whole.steps.map((_, index) => index);
  if (smaller && (await runHistory(keep(whole, numbers))).problems.length > 0) {
    numbers = await shrink(whole, (left) => print(`  fails with ${left} steps of ${whole.steps.length}`));
  }
  print(`seed ${seed}: ${JSON.stringify(whole.scenario)}`);
  for (const number of numbers) print(`  ${number} ${printStep(whole.steps[number] as Step)}`);
  const { problems } = await runHistory(keep(whole, numbers), print);
  for (const problem of problems) print(`✗ ${problem}`);
  if (problems.length === 0) print("✓ every promise was kept");
  if (smaller) print(`replay: pnpm proof faults --seed ${seed} --keep ${numbers.join()}`);
  return problems.length;
}

export interface ManyOptions {
  from: number;
  count: number;
  /** The first failure is enough. */
  first?: boolean;
  /** Told now and then how far it is. */
  onProgress?(done: number): void;
  /** Ends it after the history that is running. */
  signal?: AbortSignal;
}

export interface Summary {
  histories: number;
  failed: number;
  requests: number;
  faults: number;
  events: number;
  /** Simulated hours. */
  hours: number;
  seconds: number;
  /** Simulated seconds from the last fault until all was right, in the slowest history. */
  slowest: number;
}

/** Many histories, one after the other, each failure with the line that replays it. */
export async function runMany(
  { from, count, first = false, onProgress = () => {}, signal }: ManyOptions,
  print: Print,
): Promise<Summary> {
  const begun = performance.now();
  const none = { histories: 0, failed: 0, requests: 0, faults: 0, events: 0 };
  const sum: Summary = { ...none, hours: 0, seconds: 0, slowest: 0 };
  for (let seed = from; seed < from + count && !signal?.aborted; seed++) {
    const { problems, requests, faults, events, simulated, recovery } = await runHistory(drawHistory(seed));
    sum.histories++;
    sum.requests += requests;
    sum.faults += faults;
    sum.events += events;
    sum.slowest = Math.max(sum.slowest, recovery / 1_000);
    sum.hours += simulated / 3_600_000;
    sum.seconds = (performance.now() - begun) / 1_000;
    if (sum.histories % 100 === 0) onProgress(sum.histories);
    if (signal) await new Promise((resolve) => setImmediate(resolve));
    if (problems.length === 0) continue;
    sum.failed++;
    print(`✗ seed ${seed}: ${problems.join("\n    ")}\n  replay: pnpm proof faults --seed ${seed}`);
    if (first) break;
  }
  return sum;
}

export function oneLine(summary: Summary): string {
  const { histories, failed, seconds, requests, faults, events, hours, slowest } = summary;
  const done = `${requests} requests, ${faults} faults, ${events} events, ${hours.toFixed(0)} simulated hours`;
  return `${histories} histories, ${failed} failed, ${seconds.toFixed(1)} s: ${done}, slowest recovery ${slowest} s`;
}

/** For a report. */
export function rowsOf(summary: Summary): [string, string | number][] {
  const { histories, failed, seconds, requests, faults, events, hours, slowest } = summary;
  return [
    ["Histories", histories],
    ["Failed", failed],
    ["Seconds", seconds.toFixed(1)],
    ["Requests", requests],
    ["Faults that happened", faults],
    ["Events that handlers were told of", events],
    ["Simulated hours", hours.toFixed(0)],
    ["Slowest recovery after the last fault, simulated seconds", slowest],
  ];
}
