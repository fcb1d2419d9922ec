import { defineResource } from "@operator-path/client";
import type { Controller, Manager } from "@operator-path/controller-runtime";
import { loadChart } from "../chart/load-chart.ts";
import { mapperOf } from "../resources/resource-mapper.ts";
import type { Watch } from "../watches/watch.ts";
import { addHelmController } from "./add-helm-controller.ts";
import type { HelmControllerOptions } from "./options.ts";

/**
 * Options for the controllers of all entries of a watches.yaml. An entry's own fields come first;
 * `overrideValues` are merged, and `watchDependentResources` always comes from the entry.
 */
export type WatchesOptions = Pick<HelmControllerOptions, "helm"> &
  Partial<Omit<HelmControllerOptions, "resource" | "chart" | "name">>;

/**
 * Adds a controller for each entry of a watches.yaml (Go: the loop in main.go). Asks the server how it serves
 * each kind, so install the CRDs first. Adds no controller before it has found all kinds and charts.
 *
 * @param watches from `loadWatches`
 * @param options for all entries
 * @returns the controllers, in the order of `watches`
 * @throws Error naming a kind that the server does not serve; ChartError when a chart cannot be loaded
 */
export async function addWatches(
  manager: Manager,
  watches: readonly Watch[],
  options: WatchesOptions,
): Promise<Controller[]> {
  const prepared = await Promise.all(
    watches.map(async (watch) => ({
      watch,
      resource: await resourceOf(manager, watch),
      chart: await loadChart(watch.chart),
    })),
  );
  return prepared.map(({ watch, resource, chart }) => {
    const { watchDependentResources, overrideValues, reconcilePeriod, maxConcurrentReconciles, selector } =
      watch;
    return addHelmController(manager, {
      ...options,
      ...{ resource, chart, watchDependentResources },
      overrideValues: { ...options.overrideValues, ...overrideValues },
      ...(reconcilePeriod === undefined ? {} : { reconcilePeriod }),
      ...(maxConcurrentReconciles === undefined ? {} : { maxConcurrentReconciles }),
      ...(selector ? { selector } : {}),
    });
  });
}

async function resourceOf(manager: Manager, { group, version, kind }: Watch) {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const resource = await mapperOf(manager).resourceFor({ apiVersion, kind });
  if (resource) return defineResource(resource);
  throw new Error(
    `the cluster has no kind ${kind} in ${apiVersion}: install its CustomResourceDefinition first (make install)`,
  );
}
