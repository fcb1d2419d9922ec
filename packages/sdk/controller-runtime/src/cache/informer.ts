import type { KubeObject } from "@operator-path/client";
import type { EventHandler, HandlerRegistration } from "@operator-path/informers";

/**
 * Who wants to hear of changes to the objects of a resource asks here (Go: cache.Informer). Behind it is one
 * SharedInformer, or one for each namespace.
 */
export interface Informer<T extends KubeObject = KubeObject> {
  /** At any time: a late handler is first told of everything that is in the cache. */
  addEventHandler(handler: EventHandler<T>): HandlerRegistration;
  hasSynced(): boolean;
  /** Rejects with the signal's reason, or when the informer was stopped or removed. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /** It was removed, or the cache was stopped. */
  isStopped(): boolean;
}
