/** A metric as Prometheus knows it. */
export interface MetricDefinition {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Names of the labels that its values come with. */
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
 * Where the library's metrics go: a few lines over prom-client, or any other registry. Asked once for each metric and
 * set of labels. Nothing is global: who wants metrics passes one of these (client-go: workqueue.MetricsProvider).
 */
export interface MetricsProvider {
  counter(metric: MetricDefinition, labels: Readonly<Record<string, string>>): Counter;
  gauge(metric: MetricDefinition, labels: Readonly<Record<string, string>>): Gauge;
  histogram(metric: MetricDefinition, labels: Readonly<Record<string, string>>): Histogram;
}
