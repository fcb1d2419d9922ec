import type { Logger } from "../log/logger.ts";
import type { ReconcileCause } from "./reconcile-cause.ts";
import type { Request } from "./request.ts";
import type { Result } from "./result.ts";

/** Passed to a reconciler with the request. */
export interface ReconcileContext {
  /**
   * Adds controller, object, reconcile and cause to each line. With a tracer provider it also adds
   * `trace_id`, `span_id` and `trace_flags`.
   */
  readonly log: Logger;
  /**
   * Aborts when leadership is lost, the manager shuts down, or `reconciliationTimeout` has passed. Pass it to
   * everything that waits. Call `throwIfAborted` before an effect that must not happen later: reading the
   * signal also checks the clock.
   */
  readonly signal: AbortSignal;
  readonly cause: ReconcileCause;
  /** The id in every log line of this reconcile. Go: ReconcileIDFromContext. */
  readonly reconcileID: string;
}

/**
 * Brings the actual state of one object closer to the wanted state. It receives no change, only the request:
 * it reads the state and acts on the difference. Go: reconcile.Reconciler, TypedReconciler.
 *
 * Return nothing to wait for the next change, or `requeueAfter` to run again after a delay. A thrown error is
 * logged, and the request is retried with back-off (5 ms, doubling up to 1,000 s, unless the controller has
 * another rate limiter). A TerminalError is only logged.
 *
 * The controller never reconciles one request twice at the same time. Several changes may result in one
 * reconcile.
 */
export interface Reconciler<R = Request> {
  reconcile(request: R, context: ReconcileContext): Promise<Returned> | Returned;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a reconciler may return a Result on some paths only
type Returned = Result | undefined | void;

/** A reconciler as a function. Go: reconcile.Func, TypedFunc. */
export type ReconcileFunction<R = Request> = Reconciler<R>["reconcile"];
