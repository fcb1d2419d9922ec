import type { HistoryKind, Outcome } from "./history-kind.ts";

/** A history that is drawn and has not run yet. All of it is data. */
export interface DrawnHistory {
  /** Everything but the steps. */
  readonly scenario: object;
  readonly steps: readonly Step[];
  /**
   * Runs the history. `numbers` limits it to those steps. `trace` receives a line for each thing that
   * happens.
   */
  run(options?: { numbers?: readonly number[]; trace?: (line: string) => void }): Promise<Outcome>;
}

interface Step {
  readonly do: string;
}

/**
 * Returns the function that draws histories of a kind from seeds. The same seed draws the same history.
 * Loads only the code of that kind.
 */
export async function loadHistories(kind: HistoryKind): Promise<(seed: number) => DrawnHistory> {
  switch (kind) {
    case "informers": {
      const { drawHistory } = await import("../informers/draw.ts");
      const { runHistory } = await import("../informers/run-history.ts");
      return (seed) => drawn(drawHistory(seed), runHistory);
    }
    case "elections": {
      const { drawElection } = await import("../elections/draw-election.ts");
      const { runElection } = await import("../elections/run-election.ts");
      return (seed) => drawn(drawElection(seed), runElection);
    }
    case "managers": {
      const { drawHistory } = await import("../managers/draw.ts");
      const { runHistory } = await import("../managers/run-history.ts");
      return (seed) => drawn(drawHistory(seed), runHistory);
    }
    case "pairs": {
      const { drawPair } = await import("../managers/pairs/draw-pair.ts");
      const { runPair } = await import("../managers/pairs/run-pair.ts");
      return (seed) => drawn(drawPair(seed), runPair);
    }
  }
}

function drawn<H extends { seed: number | string; steps: Step[] }>(
  history: H,
  runOne: (history: H, trace?: (line: string) => void) => Promise<Outcome>,
): DrawnHistory {
  const { steps, seed: _, ...scenario } = history;
  return {
    scenario,
    steps,
    run({ numbers = [...steps.keys()], trace } = {}) {
      const wanted = new Set(numbers);
      return runOne({ ...history, steps: steps.filter((_step, index) => wanted.has(index)) }, trace);
    },
  };
}
