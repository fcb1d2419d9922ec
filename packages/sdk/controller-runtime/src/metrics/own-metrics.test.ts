import { KubeConfig } from "@operator-path/client";
import { expect, test } from "vitest";
import { Counter, createManager, Gauge, Histogram } from "../index.ts";

test("serves custom metrics with those of their manager, not of another one", async () => {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: "none", server: "https://127.0.0.1:1" }, { name: "none" });
  const [one, other] = [createManager(kubeConfig), createManager(kubeConfig)];
  const labelNames = ["namespace"];
  const registers = [one.metrics];
  new Gauge({ name: "shop_open_orders", help: "Orders.", labelNames, registers }).set({ namespace: "a" }, 3);
  new Counter({ name: "shop_orders_total", help: "Orders.", registers }).inc();
  new Histogram({ name: "shop_order_seconds", help: "Orders.", buckets: [1], registers }).observe(0.5);

  const text = await one.metrics.metrics();
  expect(text).toContain('shop_open_orders{namespace="a"} 3');
  expect(text).toContain("shop_orders_total 1");
  expect(text).toContain('shop_order_seconds_bucket{le="1"} 1');
  expect(await other.metrics.metrics()).not.toContain("shop_");
});
