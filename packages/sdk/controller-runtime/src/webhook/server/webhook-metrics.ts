import type { Counter, MetricDefinition, MetricsProvider } from "@operator-path/informers";

/** Metrics with controller-runtime's names. */
export const webhookMetrics = {
  latency: {
    name: "controller_runtime_webhook_latency_seconds",
    help: "Histogram of the latency of processing admission requests",
    type: "histogram",
    labels: ["webhook"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  requests: {
    name: "controller_runtime_webhook_requests_total",
    help: "Total number of admission requests by HTTP status code.",
    type: "counter",
    labels: ["webhook", "code"],
  },
  inFlight: {
    name: "controller_runtime_webhook_requests_in_flight",
    help: "Current number of admission requests being served.",
    type: "gauge",
    labels: ["webhook"],
  },
  panics: {
    name: "controller_runtime_webhook_panics_total",
    help: "Total number of webhook panics",
    type: "counter",
    labels: [],
  },
  conversionPanics: {
    name: "controller_runtime_conversion_webhook_panics_total",
    help: "Total number of conversion webhook panics",
    type: "counter",
    labels: [],
  },
  certificateReads: {
    name: "certwatcher_read_certificate_total",
    help: "Total number of certificate reads",
    type: "counter",
    labels: [],
  },
  certificateReadErrors: {
    name: "certwatcher_read_certificate_errors_total",
    help: "Total number of certificate read errors",
    type: "counter",
    labels: [],
  },
} as const satisfies Record<string, MetricDefinition>;

/** Measures the requests of one path. */
export interface PathMeter {
  /** @returns a function to call with the status of the answer */
  began(): (status: number) => void;
}

/** @param now milliseconds, used only for differences */
export function createPathMeter(path: string, provider: MetricsProvider, now: () => number): PathMeter {
  const webhook = path;
  const latency = provider.histogram(webhookMetrics.latency, { webhook });
  const inFlight = provider.gauge(webhookMetrics.inFlight, { webhook });
  const counters = new Map<number, Counter>();
  const counter = (code: number): Counter => {
    const known =
      counters.get(code) ?? provider.counter(webhookMetrics.requests, { webhook, code: String(code) });
    counters.set(code, known);
    return known;
  };
  // Create the series before the first request.
  for (const code of [200, 500]) counter(code);
  return {
    began() {
      const start = now();
      inFlight.inc();
      return (status) => {
        inFlight.dec();
        counter(status).inc();
        latency.observe((now() - start) / 1000);
      };
    },
  };
}
