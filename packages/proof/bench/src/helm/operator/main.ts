/**
 * Runs in a process of its own: an operator whose objects are releases of a chart. When all of them are
 * installed and quiet, it measures so many reconciles, and sends its figures to its parent. Arguments: the
 * chart's folder, helm's path, the number of objects, the number of measured reconciles.
 */
import { loadKubeConfig } from "@operator-path/client";
import { createManager } from "@operator-path/controller-runtime";
import { addHelmController, createHelm, loadChart } from "@operator-path/helm-operator";
import { createMeasure, type OperatorFigures } from "./measure.ts";
import { webs } from "./web.ts";

// Ends with the parent.
process.once("disconnect", () => process.exit(1));
const [chart = "", path = "", ...numbers] = process.argv.slice(2);
const [objects = 0, reconciles = 0] = numbers.map(Number);

const kubeConfig = loadKubeConfig();
const manager = createManager(kubeConfig);
const measure = createMeasure({ objects, reconciles, requests: countRequests });

addHelmController(manager, {
  resource: webs,
  helm: createHelm({ path, kubeconfig: kubeConfig, onProcess: measure.process }),
  chart: await loadChart(chart),
  // Due again and again: a change of the object would be an event, and events are not measured here.
  reconcilePeriod: 10,
  maxConcurrentReconciles: 2,
  // Every reconcile passes here.
  valueTranslator({ metadata }) {
    measure.reconcile(metadata?.name ?? "");
    return {};
  },
});

const running = manager.start(new AbortController().signal);
const figures: OperatorFigures = await Promise.race([
  measure.figures,
  running.then(() => Promise.reject(new Error("the manager ended"))),
]);
process.send?.(figures, () => process.exit(0));

async function countRequests(): Promise<number> {
  const found = await manager.metrics.getSingleMetric("rest_client_requests_total")?.get();
  return (found?.values ?? []).reduce((sum, { value }) => sum + value, 0);
}
