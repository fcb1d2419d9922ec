import type { KubeObject } from "@operator-path/client";
import type { DeletedFinalStateUnknown } from "./keys.ts";

/**
 * What to do with a change (client-go: ResourceEventHandler). Handlers are told what the cache already holds, one event
 * after the other; one that returns a promise is waited for before its next event. Enqueue a key and return.
 */
export interface EventHandler<T extends KubeObject> {
  /** `isInInitialList`: the object was there when the handler was added, or when the informer started. */
  added?(object: T, isInInitialList: boolean): unknown;
  updated?(old: T, object: T): unknown;
  /** A tombstone, when the deletion itself was not seen. */
  deleted?(object: T | DeletedFinalStateUnknown<T>): unknown;
}

export interface HandlerRegistration {
  /** True once this handler has returned from every object of the initial list. */
  hasSynced(): boolean;
  /** No event is delivered any more; those that wait are dropped. */
  remove(): void;
}

export type Notification<T extends KubeObject> =
  | { type: "added"; object: T; isInInitialList: boolean }
  | { type: "updated"; old: T; object: T }
  | { type: "deleted"; object: T | DeletedFinalStateUnknown<T> }
  | { type: "synced" };

/**
 * One handler and the events that wait for it, so that it runs at its own pace: a slow one delays nobody, and one that
 * throws misses nothing but its own event.
 */
export function createProcessor<T extends KubeObject>(
  handler: EventHandler<T>,
  onError: (error: unknown) => void,
) {
  let waiting: Notification<T>[] = [];
  let running: Promise<void> | undefined;
  let synced = false;
  let removed = false;
  const onSync = Promise.withResolvers<void>();

  async function run(): Promise<void> {
    // The event is delivered after the cache has it, and never inside the call that caused it.
    await Promise.resolve();
    try {
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        for (const notification of batch) {
          if (removed) return;
          try {
            const result = deliver(notification);
            if (result instanceof Promise) await result;
          } catch (error) {
            onError(error);
          }
        }
      }
    } finally {
      // In the same breath as the last look at what waits: a push after it must find nobody running.
      running = undefined;
    }
  }

  function deliver(notification: Notification<T>): unknown {
    switch (notification.type) {
      case "added":
        return handler.added?.(notification.object, notification.isInInitialList);
      case "updated":
        return handler.updated?.(notification.old, notification.object);
      case "deleted":
        return handler.deleted?.(notification.object);
      case "synced":
        synced = true;
        return onSync.resolve();
    }
  }

  return {
    push(notification: Notification<T>): void {
      if (removed) return;
      waiting.push(notification);
      running ??= run();
    },
    hasSynced: () => synced,
    whenSynced: onSync.promise,
    remove(): void {
      removed = true;
      waiting = [];
      // Whoever waits for all handlers must not wait for one that is gone.
      onSync.resolve();
    },
    /** Resolves when nothing waits any more. */
    async drained(): Promise<void> {
      while (running) await running;
    },
  };
}
