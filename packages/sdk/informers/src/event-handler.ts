import type { KubeObject } from "@operator-path/client";
import { DeletedFinalStateUnknown } from "./keys.ts";
import { slice } from "./slice.ts";
import { type Change, EntryChange } from "./store/change.ts";
import type { Entry } from "./store/entry.ts";

/**
 * What to do with a change (client-go: ResourceEventHandler). Handlers are told what the cache already holds, one event
 * after the other; one that returns a promise is waited for before its next event. Enqueue a key and return.
 *
 * Unlike client-go's, they are not told of objects that are the same after another list; `resyncMs` tells of those.
 */
export interface EventHandler<T extends KubeObject> {
  /** `isInInitialList`: the object was there when the handler was added, or when the informer started. */
  added?(object: T, isInInitialList: boolean): unknown;
  updated?(old: T, object: T): unknown;
  /** A tombstone, when the deletion itself was not seen. */
  deleted?(object: T | DeletedFinalStateUnknown<T>): unknown;
  /**
   * Every change, whatever its type, in place of the three above or before them. An object that it does not look at is
   * not parsed: with the store "lazy", a handler that only enqueues `change.key` costs no parse at all.
   */
  changed?(change: Change<T>): unknown;
}

export interface HandlerRegistration {
  /** True once this handler has returned from every object of the initial list. */
  hasSynced(): boolean;
  /**
   * Resolves when `hasSynced` would say so, and when the handler is removed; rejects with the reason when this signal, or
   * that of the informer's `run`, aborts first.
   */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /** No event is delivered any more; those that wait are dropped. */
  remove(): void;
}

/**
 * What a handler is to be told: a change; everything there is, as additions (a handler that came late) or as updates
 * (a resync); or that the initial list ends here.
 */
export type Notification<T extends KubeObject> =
  | EntryChange<T>
  | { type: "initial" | "resync"; entries: Entry<T>[] }
  | { type: "synced" };

/**
 * One handler and the events that wait for it, so that it runs at its own pace: a slow one delays nobody, and one that
 * throws misses nothing but its own event. A long row of events is delivered in slices of a few milliseconds, between
 * which the event loop gets its turn.
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
  /** Changes that wait, that which is being told included. */
  let backlog = 0;
  let busySince: number | undefined;
  let hasResync = false;
  const onSync = Promise.withResolvers<void>();

  /** Nobody waits for `run`: a report that throws must not end it, and with it the process. */
  function onError(error: unknown): void {
    try {
      report(error);
    } catch {
      // There is nowhere left to tell of it.
    }
  }

  async function run(): Promise<void> {
    // The event is delivered after the cache has it, and never inside the call that caused it.
    await Promise.resolve();
    slice.begin();
    try {
      // Others may have used up this turn.
      if (slice.isOver()) await slice.next();
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        for (const notification of batch) {
          if (notification instanceof EntryChange) {
            const unfinished = tell(notification, 0);
            if (unfinished) await busy(unfinished);
            backlog--;
            if (slice.isOver()) await slice.next();
          } else if (notification.type === "synced") {
            if (removed) return;
            synced = true;
            onSync.resolve();
          } else {
            for (const change of eachEntry(notification)) {
              const unfinished = tell(change, 0);
              if (unfinished) await busy(unfinished);
              backlog--;
              if (slice.isOver()) await slice.next();
            }
            if (notification.type === "resync") hasResync = false;
          }
        }
      }
    } finally {
      // In the same breath as the last look at what waits: a push after it must find nobody running.
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

  /** Makes the calls from the given one on. A promise only where one has to be waited for: most handlers return at once. */
  function tell(change: EntryChange<T>, from: number): Promise<void> | undefined {
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
    await tell(change, next);
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
    /** One that has a resync before it would gain nothing by another. */
    wantsResync: () => !hasResync,
    backlog: () => backlog,
    /** When the handler returned the promise that is waited for. */
    busySince: () => busySince,
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

/** A change at a time: a long list is not made into as many changes at once. */
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

/** To the functions that take objects: the change is parsed for them. */
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
