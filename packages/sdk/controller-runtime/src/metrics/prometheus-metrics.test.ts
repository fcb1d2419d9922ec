import { Counter, Registry } from "prom-client";
import { expect, test } from "vitest";
import { createPrometheusMetrics } from "./prometheus-metrics.ts";

test("creates a metric once, and series on demand", async () => {
  const registry = new Registry();
  const metrics = createPrometheusMetrics(registry);
  const counter = { name: "things_total", help: "Things", type: "counter", labels: ["kind"] } as const;
  metrics.counter(counter, { kind: "a" }).inc();
  metrics.counter(counter, { kind: "b" });
  const gauge = metrics.gauge({ name: "depth", help: "Depth", type: "gauge", labels: [] }, {});
  gauge.set(5);
  gauge.dec();
  gauge.inc();
  metrics
    .histogram({ name: "seconds", help: "Seconds", type: "histogram", labels: [], buckets: [1, 2] }, {})
    .observe(1.5);
  const text = (await createPrometheusMetrics(registry)) && (await registry.metrics());
  expect(text.split("\n").filter((line) => line && !line.startsWith("#"))).toEqual([
    'things_total{kind="a"} 1',
    'things_total{kind="b"} 0',
    "depth 5",
    'seconds_bucket{le="1"} 0',
    'seconds_bucket{le="2"} 1',
    'seconds_bucket{le="+Inf"} 1',
    "seconds_sum 1.5",
    "seconds_count 1",
  ]);
});

test("rejects the name of a metric of another type", () => {
  const registry = new Registry();
  new Counter({ name: "depth", help: "x", registers: [registry] });
  expect(() =>
    createPrometheusMetrics(registry).gauge({ name: "depth", help: "x", type: "gauge", labels: [] }, {}),
  ).toThrow("the registry has a metric depth of another type");
});
