import { randomUUID } from "node:crypto";
import type { Clock } from "@operator-path/client";
import type { Logger } from "../log/logger.ts";
import { runAsReconcile } from "../reconcile/current-reconcile.ts";
import type { ReconcileContext, Reconciler } from "../reconcile/reconciler.ts";
import type { RequestType } from "../reconcile/request-type.ts";
import type { Result } from "../reconcile/result.ts";
import type { WithReconcileSpan } from "../tracing/reconcile-span.ts";
import type { TraceFields } from "../tracing/trace-fields.ts";
import type { ControllerMetrics } from "./controller-metrics.ts";
import { isAbort, isPanic, isTerminal } from "./error-kinds.ts";
import { publishReconcile, type ReconcileMessage } from "./reconcile-channel.ts";
import { createLazySignal, type ReconcileSignal } from "./reconcile-signal.ts";
import type { ControllerQueue, TakenRequest } from "./request-queue.ts";

export interface ReconcileSetting<R> {
  /** The controller's name. */
  readonly controller: string;
  readonly requestType: RequestType<R>;
  readonly reconciler: Reconciler<R>;
  readonly queue: ControllerQueue<R>;
  readonly metrics: ControllerMetrics;
  readonly log: Logger;
  readonly clock: Clock;
  /** The reconciled kind, for the log. */
  readonly kind: string | undefined;
  readonly withReconcileSpan: WithReconcileSpan;
  readonly timeout: number | undefined;
  readonly recoverPanic: boolean;
}

/**
 * Runs one reconcile and handles its result. Rejects only for a panic when `recoverPanic` is false.
 * Go: reconcileHandler.
 */
export async function reconcileOne<R>(
  setting: ReconcileSetting<R>,
  taken: TakenRequest<R>,
  parent: AbortSignal,
): Promise<void> {
  const { queue, metrics, clock } = setting;
  const startedAt = clock.steady();
  const at = clock.now();
  let outcome: Pick<ReconcileMessage, "result" | "error"> = { result: "success" };
  const reconcileSignal = createLazySignal(parent, clock, setting.timeout);
  let traced: TraceFields | undefined;
  const context = contextOf(setting, taken, reconcileSignal, () => traced);
  metrics.activeWorkers.inc();
  try {
    const { request } = taken;
    const attributes = () => setting.requestType.attributesOf(request);
    const returned = setting.withReconcileSpan(attributes, context, (trace) => {
      traced = trace;
      return runAsReconcile(context, () => setting.reconciler.reconcile(request, context));
    });
    const result = checked(await returned);
    outcome = { result: nameOf(result) };
    succeeded(setting, taken, result, context);
  } catch (error) {
    // A reconcile that ends because its controller stops has not failed. One that timed out has.
    if (parent.aborted && isAbort(error, context.signal.reason)) {
      outcome = { result: "aborted" };
      context.log.debug("Reconcile was aborted");
      return;
    }
    outcome = {
      result: isTerminal(error) ? "terminal_error" : "error",
      error: error instanceof Error ? error.message : String(error),
    };
    failed(setting, taken, error, context);
  } finally {
    reconcileSignal.release();
    if (reconcileSignal.timedOut()) metrics.timeouts.inc();
    metrics.activeWorkers.dec();
    const duration = Math.max(0, clock.steady() - startedAt);
    metrics.time.observe(duration / 1000);
    const { controller, kind } = setting;
    publishReconcile(() => ({
      controller,
      kind,
      key: taken.key,
      cause: taken.cause,
      at,
      duration,
      ...outcome,
    }));
    queue.done(taken.key);
  }
}

function contextOf<R>(
  { kind, log, requestType }: ReconcileSetting<R>,
  { request, cause }: TakenRequest<R>,
  reconcileSignal: Pick<ReconcileSignal, "signal">,
  traced: () => TraceFields | undefined,
): ReconcileContext {
  let ownLog: Logger | undefined;
  let id: string | undefined;
  return {
    get signal() {
      return reconcileSignal.signal;
    },
    cause,
    get reconcileID() {
      id ??= randomUUID();
      return id;
    },
    // Created when first used: most reconciles log nothing.
    get log() {
      ownLog ??= log.child({
        ...requestType.fieldsOf(request, kind),
        reconcileID: this.reconcileID,
        ...traced(),
        cause,
      });
      return ownLog;
    },
  };
}

/** @throws TypeError when the value is not a Result */
function checked(returned: unknown): Result {
  if (returned === undefined || returned === null) return {};
  const result = returned as Result;
  for (const field of ["requeueAfter", "priority"] as const) {
    const value = result[field];
    if (value !== undefined && (typeof value !== "number" || Number.isNaN(value))) {
      throw new TypeError(`the reconciler returned ${field} ${value}: return a number, or leave it out`);
    }
  }
  return result;
}

function nameOf({ requeueAfter, requeue }: Result): ReconcileMessage["result"] {
  if (requeueAfter !== undefined && requeueAfter > 0) return "requeue_after";
  return requeue ? "requeue" : "success";
}

function succeeded<R>(
  { queue, metrics, log }: ReconcileSetting<R>,
  { key, request, priority }: TakenRequest<R>,
  result: Result,
  context: ReconcileContext,
): void {
  const next = { priority: result.priority ?? priority };
  if (result.requeueAfter !== undefined && result.requeueAfter > 0) {
    // A fixed interval from here on: end the back-off.
    queue.forget(key);
    queue.add(request, { ...next, after: result.requeueAfter, cause: { trigger: "requeueAfter" } });
    metrics.result.requeue_after.inc();
  } else if (result.requeue) {
    queue.add(request, { ...next, rateLimited: true, cause: { trigger: "backoff" } });
    metrics.result.requeue.inc();
  } else {
    queue.forget(key);
    metrics.result.success.inc();
  }
  if (log.isLevelEnabled?.("debug") ?? true) context.log.debug({ result }, "Reconciled");
}

function failed<R>(
  { queue, metrics, recoverPanic }: ReconcileSetting<R>,
  { key, request, priority }: TakenRequest<R>,
  error: unknown,
  context: ReconcileContext,
): void {
  const terminal = isTerminal(error);
  const panic = isPanic(error);
  if (panic) metrics.panics.inc();
  if (terminal) {
    metrics.terminalErrors.inc();
    // No retry: the next change starts without a back-off.
    queue.forget(key);
  } else {
    queue.add(request, { rateLimited: true, priority, cause: { trigger: "backoff" } });
  }
  metrics.errors.inc();
  metrics.result.error.inc();
  context.log.error({ error }, "Reconciler error");
  if (panic && !recoverPanic) throw error;
}
