import {
  abortable,
  apiVersionOf,
  type Client,
  type Clock,
  type KubeObject,
  type Resource,
  systemClock,
} from "@operator-path/client";
import { describe, guardLog } from "./describe.ts";
import { createProcessor, type EventHandler, type HandlerRegistration } from "./event-handler.ts";
import { hintOf } from "./hint.ts";
import { createIndexer, type Indexer, type IndexFunction } from "./indexer.ts";
import { createListWatch, type ListWatch, type Selection } from "./list-watch.ts";
import { createLister, type Lister } from "./lister.ts";
import { createReflector } from "./reflector.ts";
import type { ReflectorHealth } from "./reflector-health.ts";
import { createEntryStore } from "./store/entry-store.ts";
import { createStorePolicy, type StoreKind } from "./store/policies.ts";
import { createStoreSink } from "./store/sink.ts";

export interface SharedInformerOptions<T extends KubeObject> extends Selection {
  /**
   * How cached objects are kept. Default "parsed": reads cost nothing. "lazy": as the bytes they came in, parsed when
   * they are read, for many objects of which few are looked at; index functions are readers too, of each object once.
   * "metadata": nothing but metadata is asked for and kept.
   */
  store?: StoreKind | undefined;
  /**
   * Milliseconds after which a "lazy" object that has not changed is compressed, to a fifth or less of its bytes, in the
   * background. To parse it takes half as long again. Default 30,000; Infinity: never.
   */
  coldAfterMs?: number | undefined;
  /** Keep metadata.managedFields. Default false: they are cut from the bytes before anything is parsed. */
  managedFields?: boolean | undefined;
  /**
   * Changes an object before it is cached, or makes another one of it (client-go: TransformFunc); name, namespace, uid
   * and resourceVersion are to stay. With "lazy" it is called whenever an object is parsed. One that throws, returns no
   * object or one of another name, is logged, and the object is cached as it came.
   */
  transform?(object: T): T;
  /** Ask for the first objects as a stream (KEP-3157). Default true; where the server has none, they are listed in pages. */
  watchList?: boolean | undefined;
  /**
   * Every so many milliseconds each handler gets an `updated` for each cached object, unless it has not done with the ones
   * before. Default: never.
   */
  resyncMs?: number | undefined;
  /** By name; `indexer.byIndex(name, value)` finds. */
  indexers?: Record<string, IndexFunction<T>> | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
  /** Freeze cached objects, so that changing one throws. Default: unless NODE_ENV is "production". */
  freeze?: boolean | undefined;
  /** Objects a page of a list. Default 500. */
  pageSize?: number | undefined;
  /** Milliseconds without a byte after which a watch counts as dead. Default 180,000; see `ReflectorOptions`. */
  silence?: number | undefined;
  /** Told of each step of `lastSyncResourceVersion`, which it is given, when the cache has made it. Must not throw. */
  progressed?(resourceVersion: string): void;
  /** Told what went wrong and will be retried, and what handlers throw. Default: a line on stderr. */
  log?(line: string): void;
}

export interface InformerHealth extends ReflectorHealth {
  /** As `hasSynced`: once true, it stays so. */
  synced: boolean;
  /**
   * Changes that wait for the handler that is furthest behind. It has no bound: a handler that never returns keeps every
   * change from then on, and what it was made of, in memory.
   */
  backlog: number;
  /** Since when a handler is waited for, the longest of all, in milliseconds since the epoch. */
  busySince: number | undefined;
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
  /**
   * At any time: a late handler is first told of everything that is in the cache.
   *
   * @throws Error when the informer has ended: its cache follows nothing any more
   */
  addEventHandler(handler: EventHandler<T>): HandlerRegistration;
  readonly lister: Lister<T>;
  readonly indexer: Indexer<T>;
  /**
   * Best before `run`. Later, what is in the cache is indexed in one go, which with the store "lazy" parses every object of
   * it (some 60 µs each of a few kilobytes) while nothing else runs. @throws RangeError when there is an index of that name
   */
  addIndexers(indexers: Record<string, IndexFunction<T>>): void;
  lastSyncResourceVersion(): string;
  /** For readiness probes and metrics. */
  health(): InformerHealth;
  /**
   * Runs until the signal aborts, and resolves when the handlers have finished what they were told: one that never
   * returns keeps it from resolving. Once.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * The first list is in the cache, and the handlers that were there by then have been told of it; once true, it stays so
   * (client-go's concerns the cache alone). Of a handler that comes later its registration tells.
   */
  hasSynced(): boolean;
  /** Resolves when `hasSynced` would say so; rejects with the reason when this signal, or that of `run`, aborts first. */
  waitForSync(signal?: AbortSignal): Promise<void>;
}

export function createSharedInformer<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  options: SharedInformerOptions<T> = {},
): SharedInformer<T> {
  const source = createListWatch(client, resource, {
    ...options,
    metadataOnly: options.store === "metadata",
  });
  return createSharedInformerOn(source, resource, options);
}

/** Over a source of one's own, for tests. */
export function createSharedInformerOn<T extends KubeObject>(
  source: ListWatch,
  resource: Resource<T>,
  options: Omit<SharedInformerOptions<T>, keyof Selection> = {},
): SharedInformer<T> {
  const { clock = systemClock, freeze = process.env.NODE_ENV !== "production" } = options;
  const log = guardLog(options.log ?? console.error);
  const logFailure = (what: string) => (error: unknown) =>
    log(`${what} of ${resource.plural} failed: ${describe(error, "stack")}`);
  const store = createEntryStore<T>(options.indexers ?? {}, logFailure("an index function"));
  const processors = new Set<ReturnType<typeof createProcessor<T>>>();
  /** Those that were there when the first list was complete: the informer has synced when they have. None comes to it. */
  const first = new Set<ReturnType<typeof createProcessor<T>>>();
  const listed = Promise.withResolvers<void>();
  const ended = new AbortController();
  let hasListed = false;
  let started = false;

  const tell: ReturnType<typeof createProcessor<T>>["push"] = (notification) => {
    for (const processor of processors) processor.push(notification);
  };

  const policy = createStorePolicy<T>(options.store ?? "parsed", {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    managedFields: options.managedFields ?? false,
    freeze,
    transform: options.transform,
    clock,
    coldAfter: options.coldAfterMs ?? 30_000,
    onError: logFailure("the transform"),
  });
  const sink = createStoreSink(store, policy, {
    changed: tell,
    isIdle: () => processors.size === 0,
    listed() {
      if (hasListed) return;
      hasListed = true;
      for (const processor of processors) first.add(processor);
      tell({ type: "synced" });
      listed.resolve();
    },
  });
  const reflector = createReflector(source, sink, {
    clock,
    random: options.random,
    pageSize: options.pageSize,
    silence: options.silence,
    watchList: options.watchList,
    onProgress: options.progressed,
    onError: (error) =>
      log(`informer of ${resource.plural}: ${describe(error)}; trying again${hintOf(error, resource)}`),
  });
  const hasSynced = () => hasListed && [...first].every((processor) => processor.hasSynced());

  return {
    lister: createLister(store),
    indexer: createIndexer(store),
    addIndexers: store.addIndexes,
    lastSyncResourceVersion: reflector.lastSyncResourceVersion,
    hasSynced,
    health() {
      const all = [...processors];
      const since = all.map((processor) => processor.busySince()).filter((at) => at !== undefined);
      return {
        synced: hasSynced(),
        backlog: Math.max(0, ...all.map((processor) => processor.backlog())),
        busySince: since.length > 0 ? Math.min(...since) : undefined,
        ...reflector.health(),
      };
    },
    addEventHandler(handler) {
      if (ended.signal.aborted) {
        throw new Error(
          `the informer of ${resource.plural} has ended: add handlers before its signal aborts`,
        );
      }
      const processor = createProcessor(handler, logFailure("a handler"), () => clock.now());
      if (store.size > 0) processor.push({ type: "initial", entries: [...store.entries()] });
      if (hasListed) processor.push({ type: "synced" });
      processors.add(processor);
      return {
        hasSynced: processor.hasSynced,
        waitForSync: (signal) => waitFor(processor.whenSynced, signal),
        remove() {
          processor.remove();
          processors.delete(processor);
          first.delete(processor);
        },
      };
    },
    async run(signal) {
      if (started) throw new Error(`the informer of ${resource.plural} was started already: it runs once`);
      started = true;
      // At once, and not when all is done: a handler that never returns would keep those who wait from hearing of it.
      const end = () => ended.abort(signal.reason);
      if (signal.aborted) end();
      signal.addEventListener("abort", end, { once: true });
      const stopResync = startResync();
      await reflector.run(signal);
      stopResync();
      policy.stop?.();
      await Promise.all([...processors].map((processor) => processor.drained()));
    },
    waitForSync: (signal) =>
      waitFor(
        listed.promise.then(() => Promise.all([...first].map((processor) => processor.whenSynced))),
        signal,
      ),
  };

  /** Rejects when the signal aborts, or the informer ends, before that has happened. */
  async function waitFor(event: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
    await abortable(event, signal ? AbortSignal.any([signal, ended.signal]) : ended.signal);
  }

  function startResync(): () => void {
    const { resyncMs } = options;
    if (!resyncMs) return () => {};
    let timer = clock.setTimeout(resync, resyncMs);
    function resync(): void {
      const wanting = [...processors].filter((processor) => processor.wantsResync());
      if (wanting.length > 0) {
        const entries = [...store.entries()];
        for (const processor of wanting) processor.push({ type: "resync", entries });
      }
      timer = clock.setTimeout(resync, resyncMs as number);
    }
    return () => clock.clearTimeout(timer);
  }
}
