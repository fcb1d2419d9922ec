/**
 * Runs in a process of its own: an operator that reconciles until nothing is left to write, and sends its
 * figures to its parent. Arguments: the number of Memcacheds, the number of workers, and the time when this
 * process was spawned (ns of the monotonic clock). It imports what an operator would import by itself.
 */
import { deployments, loadKubeConfig, services } from "@operator-path/client";
import { createManager, createScheme, newControllerManagedBy } from "@operator-path/controller-runtime";
import { createMeasures } from "./measures.ts";
import { memcacheds } from "./memcached.ts";
import { createProgress } from "./progress.ts";
import { memcachedReconciler } from "./reconciler.ts";

// Ends with the parent.
process.once("disconnect", () => process.exit(1));
const [objects, workers, spawned] = process.argv.slice(2).map(Number) as [number, number, number];
const measures = createMeasures(spawned);
const progress = createProgress(objects, measures.now);

const manager = createManager(loadKubeConfig(), { scheme: createScheme(memcacheds) });
newControllerManagedBy(manager)
  .for(memcacheds)
  .owns(deployments)
  .owns(services)
  .withOptions({ maxConcurrentReconciles: workers })
  .complete(memcachedReconciler(manager.client, progress));

measures.started();
const running = manager.start(new AbortController().signal);
const settle = await Promise.race([
  progress.settled(),
  running.then(() => Promise.reject(new Error("the manager ended"))),
]);
const figures = await measures.figures(settle, progress.queueWaits, manager.metrics);
process.send?.(figures, () => process.exit(0));
