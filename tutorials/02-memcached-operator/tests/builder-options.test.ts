import { startTestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager, createScheme } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, onTestFinished, test } from "vitest";
import { memcacheds } from "../memcached-operator/api/v1alpha1/zz_generated.resources.ts";
import { setupWithMoreOptions } from "./testing/builder-options.ts";

test("the controller of part 2's options runs with two workers", async () => {
  const crds = [new URL("../memcached-operator/config/crd/bases", import.meta.url).pathname];
  await using cluster = await startTestCluster({ crds });
  const manager = createManager(cluster.kubeConfig, {
    scheme: createScheme(memcacheds),
    logger: createLogger({ level: "silent" }),
  });
  setupWithMoreOptions(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  onTestFinished(() => stop.abort());
  await Promise.race([manager.elected, running]);
  await eventually(async () =>
    expect(await manager.metrics.metrics()).toMatch(/max_concurrent_reconciles\{.*\} 2/),
  );
  stop.abort();
  await running;
});
