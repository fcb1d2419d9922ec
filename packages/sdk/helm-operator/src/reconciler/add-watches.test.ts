import { createManager } from "@operator-path/controller-runtime";
import { expect, test } from "vitest";
import { createHelm } from "../helm/create-helm.ts";
import type { Watch } from "../watches/watch.ts";
import { addWatches } from "./add-watches.ts";
import { longTimeout, startHelmBench } from "./testing/bench.ts";
import { webChart, writeChart } from "./testing/charts.ts";

test(
  "adds no controller when one entry is invalid, and names the problem",
  async () => {
    const bench = await startHelmBench();
    const manager = createManager(bench.cluster.kubeConfig);
    const helm = createHelm({ path: bench.helmPath, kubeconfig: bench.cluster.kubeConfig });
    const web: Watch = {
      ...{ group: "example.com", version: "v1", kind: "Web", chart: await writeChart(webChart) },
      ...{ watchDependentResources: true, overrideValues: {} },
    };
    const absent = addWatches(manager, [web, { ...web, kind: "Shop" }], { helm });
    await expect(absent).rejects.toThrow(
      "no kind Shop in example.com/v1: install its CustomResourceDefinition",
    );
    const chartless = addWatches(manager, [web, { ...web, chart: "/nowhere" }], { helm });
    await expect(chartless).rejects.toThrow("/nowhere");
    // An entry's missing fields come from the options.
    const wrong = addWatches(manager, [web], { helm, maxConcurrentReconciles: 0 });
    await expect(wrong).rejects.toThrow("maxConcurrentReconciles");
    const said = addWatches(manager, [{ ...web, maxConcurrentReconciles: -1 }], {
      ...{ helm, maxConcurrentReconciles: 4 },
    });
    await expect(said).rejects.toThrow("maxConcurrentReconciles");
    // The manager would reject a second controller of that name.
    expect((await addWatches(manager, [web], { helm })).map(({ name }) => name)).toEqual(["web-helm"]);
  },
  longTimeout,
);
