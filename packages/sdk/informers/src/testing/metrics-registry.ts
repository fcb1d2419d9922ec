import type { MetricDefinition, MetricsProvider } from "../metrics.ts";

/** A registry in memory. Its values look like Prometheus' text format without help and buckets. */
export interface MetricsRegistry extends MetricsProvider {
  /**
   * Returns for example `{ 'workqueue_adds_total{name="pods"}': 2 }`. The value of a histogram is the list of
   * its observations.
   */
  values(): Record<string, number | number[]>;
  value(series: string): number | number[] | undefined;
}

export function createMetricsRegistry(): MetricsRegistry {
  const numbers = new Map<string, number>();
  const observations = new Map<string, number[]>();

  function seriesOf({ name, labels }: MetricDefinition, given: Readonly<Record<string, string>>): string {
    if (Object.keys(given).join() !== labels.join()) {
      throw new Error(`${name} has the labels ${labels.join()}, not ${Object.keys(given).join()}`);
    }
    const pairs = Object.entries(given).map(([label, value]) => `${label}="${value}"`);
    return `${name}{${pairs.join()}}`;
  }

  function number(metric: MetricDefinition, labels: Readonly<Record<string, string>>) {
    const series = seriesOf(metric, labels);
    numbers.set(series, 0);
    const add = (by: number) => void numbers.set(series, (numbers.get(series) ?? 0) + by);
    return { inc: () => add(1), dec: () => add(-1), set: (value: number) => void numbers.set(series, value) };
  }

  return {
    counter: number,
    gauge: number,
    histogram(metric, labels) {
      const values: number[] = [];
      observations.set(seriesOf(metric, labels), values);
      return { observe: (value) => void values.push(value) };
    },
    values: () => Object.fromEntries([...numbers, ...observations]),
    value: (series) => numbers.get(series) ?? observations.get(series),
  };
}
