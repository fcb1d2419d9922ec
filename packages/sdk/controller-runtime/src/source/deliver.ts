import { isPanic } from "../controller/error-kinds.ts";
import type { EnqueueOptions, RequestQueue } from "../controller/request-queue.ts";
import { type EventHandler, lowPriority } from "../handler/event-handler.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Trigger } from "../reconcile/reconcile-cause.ts";
import { isResync, type ObjectEvent } from "./object-event.ts";
import type { SourceContext } from "./source.ts";

export interface Delivery<T extends object, R> extends SourceContext {
  handler: EventHandler<T, R>;
  predicates: readonly Predicate<T>[];
  queue: RequestQueue<R>;
  /** The kind of the objects, for the cause. */
  kind?: string;
}

/**
 * Passes an event through the predicates to the handler. The handler's queue adds cause and priority.
 *
 * A handler may fail because what it reads is temporarily unavailable. It then receives the event again with
 * back-off, while later events go on. Otherwise the request would be lost. What Go would panic at is not
 * retried, since the same event would cause it again.
 */
export function deliver<T extends object, R>(
  delivery: Delivery<T, R>,
  event: ObjectEvent<T>,
): Promise<void> | void {
  const onFailure = (error: unknown) => void deliverAgain(delivery, event, error);
  try {
    const handling = handle(delivery, event);
    if (handling) return handling.catch(onFailure);
  } catch (error) {
    onFailure(error);
  }
}

function handle<T extends object, R>(
  { handler, predicates, queue, kind, signal, log }: Delivery<T, R>,
  event: ObjectEvent<T>,
): Promise<void> | void {
  for (const predicate of predicates) if (!predicate(event)) return;
  const cause = triggerOf(event, kind);
  const priority = event.isInInitialList || cause.trigger === "resync" ? lowPriority : 0;
  const add = (request: R, options?: EnqueueOptions) => queue.add(request, { priority, cause, ...options });
  return handler(event, { add }, { signal, log });
}

/** Milliseconds, the same as for a failing reconcile. */
const longestWait = 1_000_000;

async function deliverAgain<T extends object, R>(
  delivery: Delivery<T, R>,
  event: ObjectEvent<T>,
  failure: unknown,
): Promise<void> {
  const { log, clock, signal } = delivery;
  let error = failure;
  for (let wait = 200; ; wait = Math.min(2 * wait, longestWait)) {
    const about = { error, event: event.type, object: event.key };
    // The controller ends, which is not a failure.
    if (signal.aborted) return;
    if (isPanic(error)) return log.error(about, "An event handler failed and the event is lost");
    log.error(about, "An event handler failed and will receive the event again");
    try {
      await clock.sleep(wait, signal);
    } catch {
      return;
    }
    try {
      return await handle(delivery, event);
    } catch (again) {
      error = again;
    }
  }
}

function triggerOf(event: ObjectEvent<object>, kind: string | undefined): Trigger {
  const { type, key, resourceVersion, oldResourceVersion, isInInitialList } = event;
  return {
    trigger: isInInitialList ? "initialList" : isResync(event) ? "resync" : type,
    ...(kind ? { resource: kind } : {}),
    ...(key ? { object: key } : {}),
    ...(oldResourceVersion ? { oldResourceVersion } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
  };
}
