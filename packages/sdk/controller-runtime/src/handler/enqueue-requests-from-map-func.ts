import type { KubeObject } from "@operator-path/client";
import type { Request } from "../reconcile/request.ts";
import { dataRequests, objectRequests } from "../reconcile/request-type.ts";
import type { EventHandler, HandlerContext } from "./event-handler.ts";

/** Returns the requests to enqueue for an object. It may read them from the cache. */
export type MapFunction<T extends object = KubeObject, R = Request> = (
  object: T,
  context: HandlerContext,
) => readonly R[] | Promise<readonly R[]>;

/**
 * Enqueues the requests that a function returns, for example all objects that refer to a ConfigMap. For an
 * update, calls it with the old and the new object. Go: handler.EnqueueRequestsFromMapFunc.
 */
export function enqueueRequestsFromMapFunc<T extends object = KubeObject>(
  map: MapFunction<T>,
): EventHandler<T> {
  return enqueueMapped(map, objectRequests.keyOf);
}

/**
 * Works as `enqueueRequestsFromMapFunc`, with your own request type.
 * Go: handler.TypedEnqueueRequestsFromMapFunc.
 */
export function enqueueTypedRequestsFromMapFunc<T extends object, R>(
  map: MapFunction<T, R>,
): EventHandler<T, R> {
  return enqueueMapped(map, dataRequests<R>().keyOf);
}

function enqueueMapped<T extends object, R>(
  map: MapFunction<T, R>,
  keyOf: (request: R) => string,
): EventHandler<T, R> {
  return (event, queue, context) => {
    const objects = event.old && event.old !== event.object ? [event.old, event.object] : [event.object];
    const mapped = objects.map((object) => map(object, context));
    const add = (lists: readonly (readonly R[])[]) => {
      const requests = new Map(lists.flat().map((request) => [keyOf(request), request]));
      for (const request of requests.values()) queue.add(request);
    };
    // Most functions are synchronous. Avoid a promise for each of the 100,000 events of an initial list.
    if (!mapped.some(isPromise)) return add(mapped as (readonly R[])[]);
    return Promise.all(mapped).then(add);
  };
}

function isPromise<R>(mapped: ReturnType<MapFunction<never, R>>): boolean {
  return "then" in mapped;
}
