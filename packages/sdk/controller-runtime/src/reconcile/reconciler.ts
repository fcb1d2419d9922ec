import type { Logger } from "../log/logger.ts";
import type { ReconcileCause } from "./reconcile-cause.ts";
import type { Request } from "./request.ts";
import type { Result } from "./result.ts";

export interface ReconcileContext {
  /**
   * Says with each line which controller, object and reconcile it is about, and why that reconcile came; with a tracer
   * provider, the ids of its trace and span as well (`trace_id`, `span_id`, `trace_flags`).
   */
  readonly log: Logger;
  /**
   * Aborts when leadership is lost, the manager shuts down, or `reconciliationTimeout` has passed. Give it to whatever
   * waits, and ask `throwIfAborted` before what must not happen afterwards: a look at it looks at the clock, too.
   */
  readonly signal: AbortSignal;
  readonly cause: ReconcileCause;
  /** The same in every log line of this reconcile (Go: ReconcileIDFromContext). */
  readonly reconcileID: string;
}

/**
 * Brings what is closer to what should be, for one object (Go: reconcile.Reconciler, TypedReconciler). It is told of no change, only that
 * there may be one: it reads the state, and acts on the difference.
 *
 * Returns nothing: it is done until something changes. `requeueAfter`: look again then. What it throws is logged, and the
 * request is tried again with back-off (5 ms, doubling, up to 1,000 s, unless the controller has another rate limiter);
 * a TerminalError is only logged.
 *
 * Promised: never twice at the same time for one request. Several changes may come as one reconcile.
 */
export interface Reconciler<R = Request> {
  reconcile(request: R, context: ReconcileContext): Promise<Returned> | Returned;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns a Result on some paths and nothing on others
type Returned = Result | undefined | void;

/** A reconciler that needs no object around it (Go: reconcile.Func, TypedFunc). */
export type ReconcileFunction<R = Request> = Reconciler<R>["reconcile"];
