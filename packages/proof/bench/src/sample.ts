/** Moments of one start, in milliseconds since the process began. */
export interface Sample {
  /** `start…()` was called, after the modules were loaded. */
  readonly called: number;
  /** Its promise was fulfilled. */
  readonly started: number;
  /** The first request was answered, on a new connection. */
  readonly answered: number;
}

/** Returns the middle value, or the mean of the two middle ones. Throws for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new RangeError("a median needs at least one value");
  return (upper + lower) / 2;
}

/** Returns the value below which a share of the values lies (0 to 1). Throws for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new RangeError("a quantile needs at least one value");
  return value;
}
