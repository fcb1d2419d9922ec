/** What came of a history. */
export interface Outcome {
  problems: string[];
  /** What happened, to tell histories that prove something from those that do not. */
  counts: Record<string, number>;
  /** Milliseconds of the history's own clock. */
  simulated: number;
  /** Of the same milliseconds: from the last fault until all was right. */
  recovery: number;
}
