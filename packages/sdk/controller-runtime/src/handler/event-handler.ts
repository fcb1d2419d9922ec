import type { KubeObject } from "@operator-path/client";
import type { RequestQueue } from "../controller/request-queue.ts";
import type { Logger } from "../log/logger.ts";
import type { Request } from "../reconcile/request.ts";
import { isUpdate, type ObjectEvent, type UpdateEvent } from "../source/object-event.ts";

export interface HandlerContext {
  /** The controller ends: give it to whatever waits. */
  readonly signal: AbortSignal;
  /** Says which controller it is. */
  readonly log: Logger;
}

/**
 * Turns events into requests (Go: handler.EventHandler). What it adds without a priority has 0, or `lowPriority` when
 * nothing has changed: objects of the initial list and resyncs wait behind fresh changes.
 *
 * A promise is waited for before the next event of the same watch. What it throws is logged, and it is given the event
 * again with back-off (0.2 s, doubling, up to 1,000 s), while others go on; what Go would panic at (a TypeError, say) is
 * only logged.
 */
export type EventHandler<T extends object = KubeObject, R = Request> = (
  event: ObjectEvent<T>,
  queue: RequestQueue<R>,
  context: HandlerContext,
) => Promise<void> | void;

/** Of objects that have not changed (Go: handler.LowPriority). */
export const lowPriority = -100;

/** By the type of the event. */
export interface HandlerFunctions<T extends object = KubeObject, R = Request> {
  added?: EventHandler<T, R>;
  updated?: (event: UpdateEvent<T>, queue: RequestQueue<R>, context: HandlerContext) => Promise<void> | void;
  deleted?: EventHandler<T, R>;
  generic?: EventHandler<T, R>;
}

/** A handler from one function a type of event (Go: handler.Funcs). Types without one are ignored. */
export function handlerFuncs<T extends object = KubeObject, R = Request>(
  functions: HandlerFunctions<T, R>,
): EventHandler<T, R> {
  return (event, queue, context) => {
    if (isUpdate(event)) return functions.updated?.(event, queue, context);
    return functions[event.type as Exclude<ObjectEvent["type"], "updated">]?.(event, queue, context);
  };
}
