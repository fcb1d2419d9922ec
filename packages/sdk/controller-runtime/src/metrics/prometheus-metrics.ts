import type { MetricDefinition, MetricsProvider } from "@operator-path/informers";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

type Labels = Readonly<Record<string, string>>;

/** Registers the metrics of this project's libraries in a prom-client registry. */
export function createPrometheusMetrics(registry: Registry): MetricsProvider {
  function metricOf<M extends Counter | Gauge | Histogram>(
    { name, help, labels, buckets }: MetricDefinition,
    make: new (configuration: {
      name: string;
      help: string;
      labelNames: string[];
      buckets?: number[];
      registers: Registry[];
    }) => M,
  ): M {
    const known = registry.getSingleMetric(name);
    if (known instanceof make) return known;
    if (known) throw new Error(`the registry has a metric ${name} of another type: give yours another name`);
    const bounds = buckets ? { buckets: [...buckets] } : {};
    return new make({ name, help, labelNames: [...labels], ...bounds, registers: [registry] });
  }

  return {
    counter(metric, labels: Labels) {
      const child = metricOf(metric, Counter).labels(labels);
      // Creates the series at once, so that its first increase is visible.
      child.inc(0);
      return { inc: () => child.inc() };
    },
    gauge(metric, labels: Labels) {
      const child = metricOf(metric, Gauge).labels(labels);
      return { inc: () => child.inc(), dec: () => child.dec(), set: (value) => child.set(value) };
    },
    histogram(metric, labels: Labels) {
      const child = metricOf(metric, Histogram).labels(labels);
      return { observe: (value) => child.observe(value) };
    },
  };
}
