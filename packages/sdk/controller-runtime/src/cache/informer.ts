import type { KubeObject } from "@operator-path/client";
import type { EventHandler, HandlerRegistration } from "@operator-path/informers";

/**
 * Notifies handlers of changes to the objects of a resource. Wraps one SharedInformer, or one per namespace.
 * Go: cache.Informer.
 */
export interface Informer<T extends KubeObject = KubeObject> {
  /** Adds a handler, at any time. A late handler first receives everything in the cache. */
  addEventHandler(handler: EventHandler<T>): HandlerRegistration;
  hasSynced(): boolean;
  /** Resolves when synced. Rejects with the signal's reason, or when the informer was stopped or removed. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /** Whether the informer was removed or the cache was stopped. */
  isStopped(): boolean;
}
