/** A metric as Prometheus defines it. */
export interface MetricDefinition {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Names of the metric's labels. */
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, without +Inf. */
  readonly buckets?: readonly number[];
}

export interface Counter {
  inc(): void;
}

export interface Gauge {
  inc(): void;
  dec(): void;
  set(value: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

/**
 * Receives the library's metrics (client-go: workqueue.MetricsProvider). Implement it in a few lines over
 * prom-client or another registry. The library requests each combination of metric and labels once. There is
 * no global registry: pass a provider wherever you want metrics.
 */
export interface MetricsProvider {
  counter(metric: MetricDefinition, labels: Readonly<Record<string, string>>): Counter;
  gauge(metric: MetricDefinition, labels: Readonly<Record<string, string>>): Gauge;
  histogram(metric: MetricDefinition, labels: Readonly<Record<string, string>>): Histogram;
}
