import type { KubeObject } from "@operator-path/client";
import type { RequestQueue } from "../controller/request-queue.ts";
import type { Logger } from "../log/logger.ts";
import type { Request } from "../reconcile/request.ts";
import { isUpdate, type ObjectEvent, type UpdateEvent } from "../source/object-event.ts";

/** Passed to a handler with the event and the queue. */
export interface HandlerContext {
  /** Aborts when the controller ends. Pass it to everything that waits. */
  readonly signal: AbortSignal;
  /** Includes the controller's name. */
  readonly log: Logger;
}

/**
 * Turns events into requests. Requests without a priority get 0, or `lowPriority` when nothing has changed:
 * objects of the initial list and resyncs wait behind changes. Go: handler.EventHandler.
 *
 * A returned promise delays the next event of the same watch. If the handler throws, the error is logged and
 * the handler receives the event again with back-off (0.2 s, doubling up to 1,000 s), while other events go
 * on. What Go would panic at (for example a TypeError) is only logged.
 */
export type EventHandler<T extends object = KubeObject, R = Request> = (
  event: ObjectEvent<T>,
  queue: RequestQueue<R>,
  context: HandlerContext,
) => Promise<void> | void;

/** The priority of objects that have not changed. Go: handler.LowPriority. */
export const lowPriority = -100;

/** Handlers by event type. */
export interface HandlerFunctions<T extends object = KubeObject, R = Request> {
  added?: EventHandler<T, R>;
  updated?: (event: UpdateEvent<T>, queue: RequestQueue<R>, context: HandlerContext) => Promise<void> | void;
  deleted?: EventHandler<T, R>;
  generic?: EventHandler<T, R>;
}

/**
 * Creates a handler from one function per event type. Types without a function are ignored.
 * Go: handler.Funcs.
 */
export function handlerFuncs<T extends object = KubeObject, R = Request>(
  functions: HandlerFunctions<T, R>,
): EventHandler<T, R> {
  return (event, queue, context) => {
    if (isUpdate(event)) return functions.updated?.(event, queue, context);
    return functions[event.type as Exclude<ObjectEvent["type"], "updated">]?.(event, queue, context);
  };
}
