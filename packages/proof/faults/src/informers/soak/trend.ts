/** A point in time (milliseconds from the start) and its value. */
export type Point = readonly [at: number, value: number];

export interface Trend {
  /** The change per hour, by the least-squares line. */
  readonly perHour: number;
  readonly mean: number;
  /** `perHour` as a share of the mean. */
  readonly share: number;
}

const hour = 3_600_000;

/** Returns the line through the later two thirds: before that, caches and the heap's own spaces fill. */
export function trendOf(points: readonly Point[]): Trend {
  const end = points.at(-1)?.[0] ?? 0;
  const later = points.filter(([at]) => at >= end / 3);
  const mean = average(later.map(([, value]) => value));
  const middle = average(later.map(([at]) => at));
  const spread = later.reduce((sum, [at]) => sum + (at - middle) ** 2, 0);
  const joint = later.reduce((sum, [at, value]) => sum + (at - middle) * (value - mean), 0);
  const perHour = spread === 0 ? 0 : (joint / spread) * hour;
  return { perHour, mean, share: mean === 0 ? 0 : perHour / mean };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}
