import type { Counter, Gauge, Histogram, MetricDefinition, MetricsProvider } from "@operator-path/informers";

const reconcileSeconds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** The metrics of every controller, with controller-runtime's names, so that existing dashboards work. */
export const controllerMetrics = {
  reconciles: {
    name: "controller_runtime_reconcile_total",
    help: "Total number of reconciliations per controller",
    type: "counter",
    labels: ["controller", "result"],
  },
  errors: {
    name: "controller_runtime_reconcile_errors_total",
    help: "Total number of reconciliation errors per controller",
    type: "counter",
    labels: ["controller"],
  },
  terminalErrors: {
    name: "controller_runtime_terminal_reconcile_errors_total",
    help: "Total number of terminal reconciliation errors per controller",
    type: "counter",
    labels: ["controller"],
  },
  panics: {
    name: "controller_runtime_reconcile_panics_total",
    help: "Total number of reconciliations per controller that threw a TypeError, ReferenceError, RangeError or a non-Error",
    type: "counter",
    labels: ["controller"],
  },
  timeouts: {
    name: "controller_runtime_reconcile_timeouts_total",
    help: "Total number of reconciliations per controller that took longer than reconciliationTimeout",
    type: "counter",
    labels: ["controller"],
  },
  time: {
    name: "controller_runtime_reconcile_time_seconds",
    help: "Length of time per reconciliation per controller",
    type: "histogram",
    labels: ["controller"],
    buckets: reconcileSeconds,
  },
  maxConcurrentReconciles: {
    name: "controller_runtime_max_concurrent_reconciles",
    help: "Maximum number of concurrent reconciles per controller",
    type: "gauge",
    labels: ["controller"],
  },
  activeWorkers: {
    name: "controller_runtime_active_workers",
    help: "Number of currently used workers per controller",
    type: "gauge",
    labels: ["controller"],
  },
} as const satisfies Record<string, MetricDefinition>;

export type ReconcileOutcome = "success" | "requeue_after" | "requeue" | "error";

/** The metrics of one controller. */
export interface ControllerMetrics {
  readonly result: Readonly<Record<ReconcileOutcome, Counter>>;
  readonly errors: Counter;
  readonly terminalErrors: Counter;
  readonly panics: Counter;
  readonly timeouts: Counter;
  readonly time: Histogram;
  readonly activeWorkers: Gauge;
}

export function createControllerMetrics(
  provider: MetricsProvider,
  controller: string,
  workers: number,
): ControllerMetrics {
  const labels = { controller };
  const result = (outcome: ReconcileOutcome) =>
    provider.counter(controllerMetrics.reconciles, { controller, result: outcome });
  provider.gauge(controllerMetrics.maxConcurrentReconciles, labels).set(workers);
  const activeWorkers = provider.gauge(controllerMetrics.activeWorkers, labels);
  activeWorkers.set(0);
  return {
    result: {
      success: result("success"),
      requeue_after: result("requeue_after"),
      requeue: result("requeue"),
      error: result("error"),
    },
    errors: provider.counter(controllerMetrics.errors, labels),
    terminalErrors: provider.counter(controllerMetrics.terminalErrors, labels),
    panics: provider.counter(controllerMetrics.panics, labels),
    timeouts: provider.counter(controllerMetrics.timeouts, labels),
    time: provider.histogram(controllerMetrics.time, labels),
    activeWorkers,
  };
}
