import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { createMetricsRegistry } from "../testing/metrics-registry.ts";
import { workQueueMetrics } from "./queue-metrics.ts";
import { createPriorityQueue, createWorkQueue } from "./work-queue.ts";

test("reports the life of a queue in client-go's metrics", async () => {
  const clock = createFakeClock();
  const registry = createMetricsRegistry();
  const queue = createWorkQueue<string>({ clock, name: "pods", metrics: registry });
  queue.add("a");
  await clock.advance(50);
  await queue.get();
  // Five adds during processing: one counts, and one key is queued.
  for (let i = 0; i < 5; i++) queue.add("a");
  await clock.advance(25);
  queue.done("a");
  expect(registry.values()).toEqual({
    'workqueue_adds_total{name="pods"}': 2,
    'workqueue_depth{name="pods",priority="0"}': 1,
    'workqueue_queue_duration_seconds{name="pods"}': [0.05],
    'workqueue_work_duration_seconds{name="pods"}': [0.025],
    'workqueue_retries_total{name="pods"}': 0,
    'workqueue_unfinished_work_seconds{name="pods"}': 0,
    'workqueue_longest_running_processor_seconds{name="pods"}': 0,
  });
  await queue.get();
  queue.done("a");
  // From its second add, which came during processing.
  expect(registry.value('workqueue_queue_duration_seconds{name="pods"}')).toEqual([0.05, 0.025]);
  expect(registry.value('workqueue_depth{name="pods",priority="0"}')).toBe(0);
});

test("updates unfinished work twice a second, and holds no timer while idle", async () => {
  const clock = createFakeClock();
  const registry = createMetricsRegistry();
  const queue = createWorkQueue<string>({ clock, name: "q", metrics: registry });
  const unfinished = () => [
    registry.value('workqueue_unfinished_work_seconds{name="q"}'),
    registry.value('workqueue_longest_running_processor_seconds{name="q"}'),
  ];
  queue.add("a");
  queue.add("b");
  expect(clock.pending()).toBe(0);
  await queue.get();
  await clock.advance(400);
  await queue.get();
  await clock.advance(600);
  expect(unfinished()).toEqual([1.6, 1]);
  queue.done("a");
  await clock.advance(500);
  expect(unfinished()).toEqual([1.1, 1.1]);
  queue.done("b");
  await clock.advance(500);
  expect(unfinished()).toEqual([0, 0]);
  expect(clock.pending()).toBe(0);
});

test.each([0, 1])("stops updates on shutDown with %s keys in processing", async (taken) => {
  const clock = createFakeClock();
  const registry = createMetricsRegistry();
  const queue = createWorkQueue<string>({ clock, name: "q", metrics: registry });
  queue.add("a");
  queue.add("b");
  for (let i = 0; i < taken; i++) await queue.get();
  queue.shutDown();
  await queue.get();
  await clock.advance(60_000);
  expect(registry.value('workqueue_unfinished_work_seconds{name="q"}')).toBe(0);
  expect(clock.pending()).toBe(0);
});

test("reports the depth by priority, and moves a key whose priority is raised", async () => {
  const registry = createMetricsRegistry();
  const queue = createWorkQueue<string>({ name: "q", metrics: registry });
  const depth = (priority: number | string) =>
    registry.value(`workqueue_depth{name="q",priority="${priority}"}`);
  queue.add("a");
  queue.add("b", { priority: -10 });
  queue.add("b", { priority: 5 });
  expect([depth(0), depth(-10), depth(5)]).toEqual([1, 0, 1]);
  await queue.get();
  queue.add("b");
  queue.add("b", { priority: 7 });
  expect([depth(0), depth(5), depth(7)]).toEqual([1, 0, 1]);
  for (let priority = 100; priority < 200; priority++) queue.add(`key-${priority}`, { priority });
  expect(Object.keys(registry.values()).filter((series) => series.includes("depth"))).toHaveLength(26);
  // 25 priorities have their own series: -10, 0, 5, 7 and 21 of the hundred.
  expect(depth("exceeded_cardinality_limit")).toBe(79);
});

test("counts requested delays as retries, and for controller-runtime only actual waits", () => {
  for (const [create, retries] of [
    [createWorkQueue, 4],
    [createPriorityQueue, 3],
  ] as const) {
    const registry = createMetricsRegistry();
    const clock = createFakeClock();
    const queue = create<string>({ clock, name: "q", metrics: registry });
    queue.add("a");
    queue.addAfter("b", 0);
    queue.addAfter("b", 10);
    queue.addRateLimited("c");
    queue.add("c", { rateLimited: true, after: 1, priority: 3 });
    expect(registry.value('workqueue_retries_total{name="q"}')).toBe(retries);
    queue.shutDown();
    queue.addAfter("c", 1_000);
    expect(registry.value('workqueue_retries_total{name="q"}')).toBe(retries);
  }
});

test("has no metrics without a name", async () => {
  const registry = createMetricsRegistry();
  const queue = createWorkQueue<string>({ metrics: registry });
  queue.add("a");
  await queue.get();
  queue.done("a");
  expect(registry.values()).toEqual({});
});

test("defines the metrics that dashboards use", () => {
  expect(Object.values(workQueueMetrics).map(({ name, type }) => `${name} ${type}`)).toEqual([
    "workqueue_depth gauge",
    "workqueue_adds_total counter",
    "workqueue_queue_duration_seconds histogram",
    "workqueue_work_duration_seconds histogram",
    "workqueue_unfinished_work_seconds gauge",
    "workqueue_longest_running_processor_seconds gauge",
    "workqueue_retries_total counter",
  ]);
  expect(workQueueMetrics.queueDuration.buckets).toEqual(
    Array.from({ length: 10 }, (_, power) => Number(`1e${power - 8}`)),
  );
});
