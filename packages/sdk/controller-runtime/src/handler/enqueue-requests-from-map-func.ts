import type { KubeObject } from "@operator-path/client";
import type { Request } from "../reconcile/request.ts";
import { dataRequests, objectRequests } from "../reconcile/request-type.ts";
import type { EventHandler, HandlerContext } from "./event-handler.ts";

/** Which requests an object brings up; it may ask the cache for them. */
export type MapFunction<T extends object = KubeObject, R = Request> = (
  object: T,
  context: HandlerContext,
) => readonly R[] | Promise<readonly R[]>;

/**
 * What a function says is what to reconcile (Go: handler.EnqueueRequestsFromMapFunc): for a ConfigMap, say, all those
 * that mention it. Of an update it is asked about the object before and after.
 */
export function enqueueRequestsFromMapFunc<T extends object = KubeObject>(
  map: MapFunction<T>,
): EventHandler<T> {
  return enqueueMapped(map, objectRequests.keyOf);
}

/** The same for requests of a type of one's own (Go: handler.TypedEnqueueRequestsFromMapFunc). */
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
    // Most functions need not wait, and a hundred thousand events of an initial list need not either.
    if (!mapped.some(isPromise)) return add(mapped as (readonly R[])[]);
    return Promise.all(mapped).then(add);
  };
}

function isPromise<R>(mapped: ReturnType<MapFunction<never, R>>): boolean {
  return "then" in mapped;
}
