import { splitKey } from "@operator-path/informers";
import type { EventHandler } from "./event-handler.ts";

/** Enqueues the object itself. Go: handler.EnqueueRequestForObject. */
export const enqueueRequestForObject: EventHandler<object> = (event, queue) => {
  if (event.key === "") {
    throw new TypeError(
      "enqueueRequestForObject: the event's object has no metadata.name: use enqueueRequestsFromMapFunc to say what to reconcile",
    );
  }
  queue.add(splitKey(event.key));
};
