import type { Resource } from "@operator-path/client";
import { defaultControllerRateLimiter, exponentialFailureRateLimiter, slice } from "@operator-path/informers";
import type { Manager } from "../manager/manager.ts";
import { createPrometheusMetrics } from "../metrics/prometheus-metrics.ts";
import type { Reconciler } from "../reconcile/reconciler.ts";
import type { Request } from "../reconcile/request.ts";
import { dataRequests, objectRequests, type RequestType } from "../reconcile/request-type.ts";
import { createReconcileSpans } from "../tracing/reconcile-span.ts";
import type { Controller } from "./controller.ts";
import { createControllerMetrics } from "./controller-metrics.ts";
import { claimName } from "./names.ts";
import { type ControllerOptions, controllerOptions } from "./options.ts";
import { type ReconcileSetting, reconcileOne } from "./reconcile-one.ts";
import { createReconcileSignal } from "./reconcile-signal.ts";
import { createRequestQueue } from "./request-queue.ts";
import { createSources } from "./sources.ts";

/** Configures `createController` and `createTypedController`. */
export interface NewControllerOptions<R = Request> extends ControllerOptions {
  reconciler: Reconciler<R>;
  /** The reconciled kind, for the log. */
  resource?: Resource | undefined;
}

/**
 * Creates a controller without adding it to the manager. `newControllerManagedBy` is the usual way.
 * Go: controller.NewUnmanaged.
 *
 * @throws RangeError naming an invalid option
 * @throws Error when another controller has the name
 */
export function createController(name: string, manager: Manager, options: NewControllerOptions): Controller {
  return controllerOf(objectRequests, name, manager, options);
}

/**
 * Creates a controller with its own request type. Requests are plain JSON data, and equal requests are one to
 * the queue. Rate limiters receive the JSON, with sorted keys. Go: controller.NewTypedUnmanaged.
 */
export function createTypedController<R>(
  name: string,
  manager: Manager,
  options: NewControllerOptions<R>,
): Controller<R> {
  return controllerOf(dataRequests<R>(), name, manager, options);
}

function controllerOf<R>(
  requestType: RequestType<R>,
  name: string,
  manager: Manager,
  options: NewControllerOptions<R>,
): Controller<R> {
  const { clock } = manager;
  const given = { ...manager.controllerDefaults, ...defined(options) };
  const settings = controllerOptions(given, name);
  if (!given.skipNameValidation) claimName(manager.metrics, name);
  const { usePriorityQueue, maxConcurrentReconciles: workers } = settings;
  const { resource } = options;
  const log = manager.log.child({
    logger: `controllers.${resource?.kind ?? name}`,
    controller: name,
    ...(resource ? { controllerGroup: resource.group, controllerKind: resource.kind } : {}),
  });
  const rateLimiter =
    given.rateLimiter ??
    (usePriorityQueue
      ? exponentialFailureRateLimiter<string>()
      : defaultControllerRateLimiter<string>(clock));
  const metrics = createPrometheusMetrics(manager.metrics);
  const queue = createRequestQueue({ name, requestType, usePriorityQueue, rateLimiter, clock, metrics });
  const sources = createSources({
    controller: name,
    queue,
    log,
    clock,
    syncTimeout: settings.cacheSyncTimeout,
  });
  let started = false;
  const shutDown = () => queue.shutDown();

  async function warmup(signal: AbortSignal): Promise<void> {
    // `start` may never follow. Delayed requests of the sources would then keep the process alive.
    signal.addEventListener("abort", shutDown, { once: true });
    await sources.start(signal);
  }

  async function work(setting: ReconcileSetting<R>, signal: AbortSignal): Promise<void> {
    for (let taken = await queue.next(); taken; taken = await queue.next()) {
      // Drop what a stopping queue still returns. The next start lists everything anyway.
      if (signal.aborted) queue.done(taken.key);
      else await reconcileOne(setting, taken, signal);
      // Reconciles that only read from the cache never wait. Without a pause, timers, sockets and the Lease
      // would starve.
      if (queue.length > 0 && slice.isOver()) await slice.next();
    }
  }

  return {
    name,
    log,
    needLeaderElection: settings.needLeaderElection,
    watch: sources.add,
    ...(settings.enableWarmup ? { warmup } : {}),
    async start(signal) {
      if (started) {
        throw new Error(`controller ${name} has already started: add it to one manager only, and once`);
      }
      started = true;
      if (signal.aborted) return shutDown();
      signal.addEventListener("abort", shutDown, { once: true });
      try {
        await sources.start(signal);
        if (signal.aborted) return;
        log.info({ workers }, "Starting workers");
        const setting: ReconcileSetting<R> = {
          controller: name,
          requestType,
          ...{ reconciler: options.reconciler, queue, log, clock, kind: resource?.kind },
          ...{ timeout: settings.reconciliationTimeout, recoverPanic: settings.recoverPanic },
          metrics: createControllerMetrics(metrics, name, workers),
          withReconcileSpan: createReconcileSpans(name, resource?.kind, manager.tracerProvider),
        };
        const own = createReconcileSignal(signal, clock, undefined);
        const working = Array.from({ length: workers }, () => work(setting, own.signal));
        try {
          await Promise.race([Promise.all(working), sources.failure]);
        } catch (error) {
          // Abort the other workers and wait for their current reconciles.
          own.abort(error);
          shutDown();
          await Promise.allSettled(working);
          throw error;
        } finally {
          own.release();
        }
        log.info("All workers finished");
      } finally {
        shutDown();
        signal.removeEventListener("abort", shutDown);
      }
    },
  };
}

/** Removes options that are undefined, so that defaults apply. */
function defined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
