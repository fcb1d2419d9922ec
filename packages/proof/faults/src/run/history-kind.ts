/** The subject of a history: informers, leader electors, one manager, or two managers that share a Lease. */
export type HistoryKind = "informers" | "elections" | "managers" | "pairs";

/** The flags of `pnpm proof faults` that choose a kind. */
export const flagsOf: Readonly<Record<HistoryKind, readonly string[]>> = {
  informers: [],
  elections: ["--elections"],
  managers: ["--managers"],
  pairs: ["--managers", "--pairs"],
};

/** The result of a history. */
export interface Outcome {
  /** Broken promises, one sentence each; empty when all were kept. */
  problems: string[];
  /** How often things happened: they show whether a history exercised anything. */
  counts: Record<string, number>;
  /** Milliseconds of the history's own clock. */
  simulated: number;
  /**
   * Milliseconds of the same clock from the last fault until everything was right. Elections do not measure
   * it.
   */
  recovery?: number;
}
