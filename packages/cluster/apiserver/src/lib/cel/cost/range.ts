/** A range of element counts or cost units. Saturates at 2^64, like the unsigned integers of cel-go. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

const limit = 2 ** 64;

export const unknown: Range = { min: 0, max: limit };

export function exactly(count: number): Range {
  return { min: count, max: count };
}

export function add(a: Range, b: Range): Range {
  return { min: Math.min(a.min + b.min, limit), max: Math.min(a.max + b.max, limit) };
}

export function multiply(a: Range, b: Range): Range {
  return { min: Math.min(a.min * b.min, limit), max: Math.min(a.max * b.max, limit) };
}

/** Rounds up. */
export function scale(range: Range, factor: number): Range {
  return {
    min: Math.min(Math.ceil(range.min * factor), limit),
    max: Math.min(Math.ceil(range.max * factor), limit),
  };
}

/** Returns the smallest range that contains both. */
export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

export function sum(ranges: readonly Range[]): Range {
  return ranges.reduce(add, exactly(0));
}
