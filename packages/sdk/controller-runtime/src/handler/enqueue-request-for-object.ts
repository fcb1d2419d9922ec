import { splitKey } from "@operator-path/informers";
import type { EventHandler } from "./event-handler.ts";

/** The object itself is what to reconcile (Go: handler.EnqueueRequestForObject). */
export const enqueueRequestForObject: EventHandler<object> = (event, queue) => {
  if (event.key === "") {
    throw new TypeError(
      "enqueueRequestForObject: the event's object has no metadata.name: use enqueueRequestsFromMapFunc to say what to reconcile",
    );
  }
  queue.add(splitKey(event.key));
};
