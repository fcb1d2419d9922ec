import { type Client, type Clock, type KubeObject, type Resource, systemClock } from "@operator-path/client";
import {
  createProcessor,
  type EventHandler,
  type HandlerRegistration,
  type Notification,
} from "./event-handler.ts";
import { deepFreeze } from "./freeze.ts";
import { createStore, type Indexer, type IndexFunction } from "./indexer.ts";
import { DeletedFinalStateUnknown, keyOf } from "./keys.ts";
import { createListWatch, type ListWatch, type Selection } from "./list-watch.ts";
import { createLister, type Lister } from "./lister.ts";
import { createReflector } from "./reflector.ts";

export interface SharedInformerOptions<T extends KubeObject> extends Selection {
  /** Every so many milliseconds each handler gets an `updated` for each cached object. Default: never. */
  resyncMs?: number;
  /** By name; `indexer.byIndex(name, value)` finds. */
  indexers?: Record<string, IndexFunction<T>>;
  clock?: Clock;
  random?: () => number;
  /** Freeze cached objects, so that changing one throws. Default: unless NODE_ENV is "production". */
  freeze?: boolean;
  /** Objects a page of a list. Default 500. */
  pageSize?: number;
  /** Told what went wrong and will be retried, and what handlers throw. Default: a line on stderr. */
  log?(line: string): void;
}

/**
 * One watch and one cache of a resource, for any number of handlers (client-go: SharedIndexInformer).
 *
 * Promises: once the cluster is quiet, the cache equals a fresh list, and every handler has been told of the way there:
 * each object's changes in order, deletions included, even those that happened while the connection was down.
 * An object that was deleted and made again under its name (another UID) is a deletion and an addition.
 * Does not promise: every intermediate state. Changes that happen while the connection is down arrive as one.
 */
export interface SharedInformer<T extends KubeObject> {
  /** At any time: a late handler is first told of everything that is in the cache. */
  addEventHandler(handler: EventHandler<T>): HandlerRegistration;
  readonly lister: Lister<T>;
  readonly indexer: Indexer<T>;
  lastSyncResourceVersion(): string;
  /** Runs until the signal aborts, and resolves when the handlers have finished what they were told. Once. */
  run(signal: AbortSignal): Promise<void>;
  /** The first list is in the cache, and every handler has been told of it. */
  hasSynced(): boolean;
  /** Resolves when `hasSynced` would say so; rejects with the reason when this signal, or that of `run`, aborts first. */
  waitForSync(signal?: AbortSignal): Promise<void>;
}

export function createSharedInformer<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  options: SharedInformerOptions<T> = {},
): SharedInformer<T> {
  return createSharedInformerOn(createListWatch(client, resource, options), resource, options);
}

/** Over a source of one's own, for tests. */
export function createSharedInformerOn<T extends KubeObject>(
  source: ListWatch<T>,
  resource: Resource<T>,
  options: Omit<SharedInformerOptions<T>, keyof Selection> = {},
): SharedInformer<T> {
  const { clock = systemClock, freeze = process.env.NODE_ENV !== "production" } = options;
  const log = options.log ?? ((line) => console.error(line));
  const store = createStore<T>(options.indexers);
  const processors = new Set<ReturnType<typeof createProcessor<T>>>();
  const listed = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<never>();
  // Most informers end long after anybody has waited for them.
  ended.promise.catch(() => {});
  let hasListed = false;
  let started = false;

  const tell = (notification: Notification<T>) => {
    for (const processor of processors) processor.push(notification);
  };

  function put(object: T): void {
    if (freeze) deepFreeze(object);
    const old = store.get(keyOf(object));
    if (old && old.metadata?.uid !== object.metadata?.uid) {
      // Another object under the same name: the end of the first one went unseen.
      tell({ type: "deleted", object: new DeletedFinalStateUnknown(keyOf(old), old) });
      store.set(object);
      tell({ type: "added", object, isInInitialList: false });
    } else if (!old) {
      store.set(object);
      tell({ type: "added", object, isInInitialList: !hasListed });
    } else if (old.metadata?.resourceVersion !== object.metadata?.resourceVersion) {
      store.set(object);
      tell({ type: "updated", old, object });
    }
  }

  const reflector = createReflector<T>(
    source,
    {
      replace(items) {
        const gone = new Set(store.keys());
        for (const item of items) gone.delete(keyOf(item));
        for (const key of gone) {
          const object = store.get(key) as T;
          store.delete(key);
          tell({ type: "deleted", object: new DeletedFinalStateUnknown(key, object) });
        }
        for (const item of items) put(item);
        if (hasListed) return;
        hasListed = true;
        tell({ type: "synced" });
        listed.resolve();
      },
      apply(type, object) {
        if (type !== "DELETED") return put(object);
        const key = keyOf(object);
        const old = store.get(key);
        if (!old) return;
        if (freeze) deepFreeze(object);
        store.delete(key);
        const seen = old.metadata?.uid === object.metadata?.uid;
        tell({ type: "deleted", object: seen ? object : new DeletedFinalStateUnknown(key, old) });
      },
    },
    {
      clock,
      random: options.random,
      pageSize: options.pageSize,
      onError: (error) => log(`informer of ${resource.plural}: ${error.message}; trying again`),
    },
  );

  return {
    lister: createLister(store),
    indexer: store,
    lastSyncResourceVersion: reflector.lastSyncResourceVersion,
    addEventHandler(handler) {
      const processor = createProcessor(handler, (error) =>
        log(
          `a handler of ${resource.plural} failed: ${error instanceof Error ? (error.stack ?? error.message) : error}`,
        ),
      );
      for (const object of store.list()) processor.push({ type: "added", object, isInInitialList: true });
      if (hasListed) processor.push({ type: "synced" });
      processors.add(processor);
      return {
        hasSynced: processor.hasSynced,
        remove() {
          processor.remove();
          processors.delete(processor);
        },
      };
    },
    async run(signal) {
      if (started) throw new Error(`the informer of ${resource.plural} was started already: it runs once`);
      started = true;
      const stopResync = startResync();
      await reflector.run(signal);
      stopResync();
      await Promise.all([...processors].map((processor) => processor.drained()));
      ended.reject(signal.reason);
    },
    hasSynced: () => hasListed && [...processors].every((processor) => processor.hasSynced()),
    async waitForSync(signal) {
      const synced = listed.promise.then(() =>
        Promise.all([...processors].map((processor) => processor.whenSynced)),
      );
      const aborted = Promise.withResolvers<never>();
      const onAbort = () => aborted.reject(signal?.reason);
      if (signal?.aborted) onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      try {
        await Promise.race([synced, ended.promise, aborted.promise]);
      } finally {
        signal?.removeEventListener("abort", onAbort);
      }
    },
  };

  function startResync(): () => void {
    const { resyncMs } = options;
    if (!resyncMs) return () => {};
    let timer = clock.setTimeout(resync, resyncMs);
    function resync(): void {
      for (const object of store.list()) tell({ type: "updated", old: object, object });
      timer = clock.setTimeout(resync, resyncMs as number);
    }
    return () => clock.clearTimeout(timer);
  }
}
