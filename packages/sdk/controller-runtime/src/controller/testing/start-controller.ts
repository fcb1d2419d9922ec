import { newControllerManagedBy } from "../../builder/builder.ts";
import type { ReconcileFunction } from "../../reconcile/reconciler.ts";
import type { ControllerOptions } from "../options.ts";
import { createTestManager, createTestSource } from "./test-manager.ts";

/** Starts a controller named "test" and records when it reconciles, in milliseconds since the start. */
export async function startController(reconcile: ReconcileFunction, options: ControllerOptions = {}) {
  const { manager, clock, lines, run, metric } = createTestManager();
  const source = createTestSource();
  const times: number[] = [];
  const startedAt = clock.now();
  newControllerManagedBy(manager)
    .named("test")
    .watchesRawSource(source)
    .withOptions(options)
    .complete((request, context) => {
      times.push(clock.now() - startedAt);
      return reconcile(request, context);
    });
  const { stop, ended } = run();
  await clock.advance(0);
  const results = async () =>
    Promise.all(
      ["success", "requeue_after", "requeue", "error"].map((result) =>
        metric(`controller_runtime_reconcile_total{controller="test",result="${result}"}`),
      ),
    );
  return { clock, source, times, lines, stop, ended, metric, results, manager };
}
