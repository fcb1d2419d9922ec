import type { KubeObject } from "@operator-path/client";
import { DeletedFinalStateUnknown } from "./keys.ts";
import { slice } from "./slice.ts";
import { type Change, EntryChange } from "./store/change.ts";
import type { Entry } from "./store/entry.ts";

/**
 * Reacts to changes of the cache (client-go: ResourceEventHandler).
 *
 * The cache already holds a change when its handler is called. Events arrive one at a time: if a handler
 * returns a promise, its next event waits for that promise. A handler should enqueue a key and return.
 *
 * Unlike in client-go, a relist does not report unchanged objects. `resyncMs` does.
 */
export interface EventHandler<T extends KubeObject> {
  /**
   * `isInInitialList` is true when the object existed before the handler was added or the informer started.
   */
  added?(object: T, isInInitialList: boolean): unknown;
  updated?(old: T, object: T): unknown;
  /** Receives a tombstone when the informer missed the deletion itself. */
  deleted?(object: T | DeletedFinalStateUnknown<T>): unknown;
  /**
   * Receives every change of any type, before the three functions above. An object that the handler does not
   * read is not parsed: with the store "lazy", a handler that only enqueues `change.key` never parses.
   */
  changed?(change: Change<T>): unknown;
}

export interface HandlerRegistration {
  /** Returns true once this handler has processed every object of the initial list. */
  hasSynced(): boolean;
  /**
   * Resolves when `hasSynced` becomes true, or when the handler is removed. Rejects with the abort reason
   * when `signal`, or the signal of the informer's `run`, aborts first.
   */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /** Stops the delivery of events and drops the queued ones. */
  remove(): void;
}

/**
 * An item in a handler's queue: one change, a batch of entries, or the end of the initial list. A batch is
 * delivered as additions to a handler that was added late, and as updates in a resync.
 */
export type Notification<T extends KubeObject> =
  | EntryChange<T>
  | { type: "initial" | "resync"; entries: Entry<T>[] }
  | { type: "synced" };

/**
 * Returns one handler together with its event queue. Every handler runs at its own pace: a slow one delays no
 * other, and one that throws misses only that event. Long queues are delivered in slices of a few
 * milliseconds, so that the event loop can run in between.
 */
export function createProcessor<T extends KubeObject>(
  handler: EventHandler<T>,
  report: (error: unknown) => void,
  now: () => number,
) {
  let waiting: Notification<T>[] = [];
  let running: Promise<void> | undefined;
  let synced = false;
  let removed = false;
  /** Changes in the queue, including the one that the handler is processing. */
  let backlog = 0;
  let busySince: number | undefined;
  let hasResync = false;
  const onSync = Promise.withResolvers<void>();

  /** `run` is not awaited: an error of `report` would become an unhandled rejection and end the process. */
  function onError(error: unknown): void {
    try {
      report(error);
    } catch {
      // There is nowhere left to report it.
    }
  }

  async function run(): Promise<void> {
    // Deliver after the cache has been updated, and never inside the call that caused the event.
    await Promise.resolve();
    slice.begin();
    try {
      // Other work may have used up this turn of the event loop.
      if (slice.isOver()) await slice.next();
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        for (const notification of batch) {
          if (notification instanceof EntryChange) {
            const unfinished = callFrom(notification, 0);
            if (unfinished) await busy(unfinished);
            backlog--;
            if (slice.isOver()) await slice.next();
          } else if (notification.type === "synced") {
            if (removed) return;
            synced = true;
            onSync.resolve();
          } else {
            for (const change of eachEntry(notification)) {
              const unfinished = callFrom(change, 0);
              if (unfinished) await busy(unfinished);
              backlog--;
              if (slice.isOver()) await slice.next();
            }
            if (notification.type === "resync") hasResync = false;
          }
        }
      }
    } finally {
      // Set synchronously after the last check of the queue: a later `push` must start a new run.
      running = undefined;
    }
  }

  async function busy(unfinished: Promise<void>): Promise<void> {
    busySince = now();
    await unfinished;
    busySince = undefined;
  }

  const calls: ((change: EntryChange<T>) => unknown)[] = [];
  if (handler.changed) calls.push((change) => handler.changed?.(change));
  if (handler.added || handler.updated || handler.deleted) calls.push((change) => deliver(handler, change));

  /**
   * Calls the handler's functions from index `from` on. Returns a promise only if one of them does; most
   * return at once.
   */
  function callFrom(change: EntryChange<T>, from: number): Promise<void> | undefined {
    if (removed) return undefined;
    for (let at = from; at < calls.length; at++) {
      try {
        const result = calls[at]?.(change);
        if (isThenable(result)) return finish(result, change, at + 1);
      } catch (error) {
        onError(error);
      }
    }
    return undefined;
  }

  async function finish(result: PromiseLike<unknown>, change: EntryChange<T>, next: number): Promise<void> {
    try {
      await result;
    } catch (error) {
      onError(error);
    }
    await callFrom(change, next);
  }

  return {
    push(notification: Notification<T>): void {
      if (removed) return;
      if (notification instanceof EntryChange) backlog++;
      else if (notification.type !== "synced") backlog += notification.entries.length;
      if (notification.type === "resync") hasResync = true;
      waiting.push(notification);
      running ??= run();
    },
    /** A second resync in the queue would add nothing to the first. */
    wantsResync: () => !hasResync,
    backlog: () => backlog,
    /** When the handler returned the promise that is being awaited. */
    busySince: () => busySince,
    hasSynced: () => synced,
    whenSynced: onSync.promise,
    remove(): void {
      removed = true;
      waiting = [];
      // `waitForSync` must not wait for a handler that was removed.
      onSync.resolve();
    },
    /** Resolves when the queue is empty. */
    async drained(): Promise<void> {
      while (running) await running;
    },
  };
}

/** Yields one change at a time, so that a long list never exists as an array of changes. */
function* eachEntry<T extends KubeObject>(all: {
  type: "initial" | "resync";
  entries: Entry<T>[];
}): Generator<EntryChange<T>> {
  for (const entry of all.entries) {
    yield all.type === "initial"
      ? new EntryChange("added", entry, undefined, { isInInitialList: true })
      : new EntryChange("updated", entry, entry);
  }
}

/** Calls the functions that take objects. This parses the object. */
function deliver<T extends KubeObject>(handler: EventHandler<T>, change: EntryChange<T>): unknown {
  switch (change.type) {
    case "added":
      return handler.added?.(change.object, change.isInInitialList);
    case "updated":
      return handler.updated?.(change.old as T, change.object);
    case "deleted":
      return handler.deleted?.(
        change.isFinalStateUnknown ? new DeletedFinalStateUnknown(change.key, change.object) : change.object,
      );
  }
}

function isThenable(result: unknown): result is PromiseLike<unknown> {
  return (
    typeof result === "object" && result !== null && "then" in result && typeof result.then === "function"
  );
}
