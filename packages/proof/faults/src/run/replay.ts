import { type DrawnHistory, loadHistories } from "./histories.ts";
import { flagsOf, type HistoryKind } from "./history-kind.ts";

export interface ReplayOptions {
  kind: HistoryKind;
  seed: number;
  /** The numbers of the steps to run. Default: all. */
  keep?: number[];
  /** First finds out which steps the failure needs, and runs only those. */
  shrink?: boolean;
}

/** Runs one history and prints everything that happens in it. Returns the number of problems. */
export async function replay(options: ReplayOptions, print: (line: string) => void): Promise<number> {
  const { kind, seed, keep, shrink: isShrunk } = options;
  const history = (await loadHistories(kind))(seed);
  const { steps } = history;
  const unknown = keep?.filter((number) => number >= steps.length) ?? [];
  if (unknown.length > 0) {
    print(`✗ --keep ${unknown}: the history of seed ${seed} has steps 0 to ${steps.length - 1}`);
    return 1;
  }
  let numbers = keep ?? [...steps.keys()];
  if (isShrunk && (await history.run({ numbers })).problems.length > 0) {
    numbers = await shrink(history, (left) => print(`  fails with ${left} steps of ${steps.length}`));
  }
  print(`seed ${seed}: ${JSON.stringify(history.scenario)}`);
  for (const number of numbers) print(`  ${number} ${formatStep(steps[number])}`);
  const { problems } = await history.run({ numbers, trace: print });
  for (const problem of problems) print(`✗ ${problem}`);
  if (problems.length === 0) print("✓ every promise was kept");
  if (isShrunk) {
    const command = ["pnpm proof faults", ...flagsOf[kind], "--seed", seed, "--keep", numbers.join()];
    print(`replay: ${command.join(" ")}`);
  }
  return problems.length;
}

/**
 * Leaves out steps as long as the history still fails: halves first, single ones in the end. The problem may
 * change on the way. Returns the numbers of the remaining steps.
 */
async function shrink(history: DrawnHistory, onProgress: (left: number) => void): Promise<number[]> {
  let kept = [...history.steps.keys()];
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      const numbers = kept.toSpliced(at, size);
      const { problems } = await history.run({ numbers });
      if (problems.length === 0) at += size;
      else {
        kept = numbers;
        onProgress(kept.length);
      }
    }
  }
  return kept;
}

function formatStep(step: object = {}): string {
  return Object.entries(step)
    .map(([name, value]) =>
      name === "do" ? value : `${name}=${typeof value === "object" ? JSON.stringify(value) : value}`,
    )
    .join(" ");
}
