import type { Clock } from "@operator-path/client";
import type { Gauge, MetricDefinition, MetricsProvider } from "../metrics.ts";

/** 10 ns to 10 s (component-base: ExponentialBuckets(10e-9, 10, 10)). */
const seconds = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10];

/**
 * The metrics of every named workqueue, under client-go's names, so that existing dashboards work. `depth`
 * also has the label priority. A registry that drops this label gets the sum over all priorities, as in
 * client-go.
 */
export const workQueueMetrics = {
  depth: {
    name: "workqueue_depth",
    help: "Current depth of workqueue by priority",
    type: "gauge",
    labels: ["name", "priority"],
  },
  adds: {
    name: "workqueue_adds_total",
    help: "Total number of adds handled by workqueue",
    type: "counter",
    labels: ["name"],
  },
  queueDuration: {
    name: "workqueue_queue_duration_seconds",
    help: "How long in seconds an item stays in workqueue before being requested",
    type: "histogram",
    labels: ["name"],
    buckets: seconds,
  },
  workDuration: {
    name: "workqueue_work_duration_seconds",
    help: "How long in seconds processing an item from workqueue takes",
    type: "histogram",
    labels: ["name"],
    buckets: seconds,
  },
  unfinishedWork: {
    name: "workqueue_unfinished_work_seconds",
    help: "Seconds of work in progress that work_duration does not contain yet, summed over all workers. Large values mean stuck workers; the rate of growth is their number",
    type: "gauge",
    labels: ["name"],
  },
  longestRunningProcessor: {
    name: "workqueue_longest_running_processor_seconds",
    help: "How many seconds the longest running worker has been processing its item",
    type: "gauge",
    labels: ["name"],
  },
  retries: {
    name: "workqueue_retries_total",
    help: "Total number of items added to the workqueue with a delay: after failures, or on request",
    type: "counter",
    labels: ["name"],
  },
} as const satisfies Record<string, MetricDefinition>;

/** The part of a queued key that the metrics read and write. */
export interface MeasuredKey {
  priority: number;
  addedAt: number;
  startedAt: number;
}

/** client-go: queueMetrics and retryMetrics. */
export interface QueueMetrics {
  added(key: MeasuredKey): void;
  /** The priority of a queued key has changed. */
  raised(from: number, to: number): void;
  handedOut(key: MeasuredKey): void;
  done(key: MeasuredKey): void;
  retried(): void;
  shutDown(): void;
}

/** Milliseconds between updates of the two gauges of unfinished work, while there is any. */
const updatePeriod = 500;
/** Too many series harm a registry (controller-runtime: maxRecommendedUniquePriorities). */
const maxPriorities = 25;

export function createQueueMetrics(provider: MetricsProvider, name: string, clock: Clock): QueueMetrics {
  const labels = { name };
  const adds = provider.counter(workQueueMetrics.adds, labels);
  const retries = provider.counter(workQueueMetrics.retries, labels);
  const queueDuration = provider.histogram(workQueueMetrics.queueDuration, labels);
  const workDuration = provider.histogram(workQueueMetrics.workDuration, labels);
  const unfinishedWork = provider.gauge(workQueueMetrics.unfinishedWork, labels);
  const longestRunning = provider.gauge(workQueueMetrics.longestRunningProcessor, labels);
  const depth = depthByPriority(provider, name);
  const working = new Set<MeasuredKey>();
  let updating: unknown;
  let ended = false;

  /** Runs while keys are being processed, and once more afterwards. So an idle queue holds no timer. */
  function update(): void {
    let total = 0;
    let longest = 0;
    const now = clock.steady();
    for (const { startedAt } of working) {
      total += now - startedAt;
      longest = Math.max(longest, now - startedAt);
    }
    unfinishedWork.set(total / 1000);
    longestRunning.set(longest / 1000);
    updating = working.size > 0 ? clock.setTimeout(update, updatePeriod) : undefined;
  }

  return {
    added(key) {
      key.addedAt = clock.steady();
      adds.inc();
      depth(key.priority).inc();
    },
    raised(from, to) {
      depth(from).dec();
      depth(to).inc();
    },
    handedOut(key) {
      key.startedAt = clock.steady();
      depth(key.priority).dec();
      queueDuration.observe((key.startedAt - key.addedAt) / 1000);
      working.add(key);
      if (!ended) updating ??= clock.setTimeout(update, updatePeriod);
    },
    done(key) {
      if (working.delete(key)) workDuration.observe((clock.steady() - key.startedAt) / 1000);
    },
    retried: () => retries.inc(),
    shutDown() {
      ended = true;
      if (updating !== undefined) clock.clearTimeout(updating);
    },
  };
}

/** Returns one gauge per priority. All priorities after the first 25 share one. */
function depthByPriority(provider: MetricsProvider, name: string): (priority: number) => Gauge {
  const gauges = new Map<number, Gauge>();
  const gauge = (priority: string) => provider.gauge(workQueueMetrics.depth, { name, priority });
  let others: Gauge | undefined;
  return (priority) => {
    let known = gauges.get(priority);
    if (known) return known;
    if (gauges.size === maxPriorities) {
      others ??= gauge("exceeded_cardinality_limit");
      return others;
    }
    known = gauge(String(priority));
    gauges.set(priority, known);
    return known;
  };
}
