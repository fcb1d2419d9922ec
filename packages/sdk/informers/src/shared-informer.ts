import {
  ApiError,
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
import { createListWatch, type ListWatch, type Selection } from "./list-watch.ts";
import { createIndexer, createLister, type Indexer, type Lister } from "./lister.ts";
import { createReflector, type ReflectorHealth } from "./reflector.ts";
import { createEntryStore, type IndexFunction } from "./store/entry-store.ts";
import { createStorePolicy, type StoreKind } from "./store/policies.ts";
import { createStoreSink } from "./store/sink.ts";

export interface SharedInformerOptions<T extends KubeObject> extends Selection {
  /**
   * How objects are cached. Default "parsed": parsed on arrival, so reads cost nothing. "lazy": kept as bytes
   * and parsed on each read, for large caches with few reads. Index functions read each object once.
   * "metadata": only the metadata is requested and cached.
   */
  store?: StoreKind | undefined;
  /**
   * Milliseconds after which an unchanged "lazy" object is compressed in the background, to a fifth of its
   * size or less. Parsing a compressed object takes half as long again. Default 30,000. Infinity disables
   * compression.
   */
  coldAfterMs?: number | undefined;
  /** Keep metadata.managedFields. Default false: they are cut from the bytes before parsing. */
  managedFields?: boolean | undefined;
  /**
   * Changes or replaces an object before it is cached (client-go: TransformFunc). It must keep name,
   * namespace, uid and resourceVersion. With "lazy" it runs on every parse. If it throws, or returns no
   * object or one with a different identity, the failure is logged and the object is cached as it arrived.
   */
  transform?(object: T): T;
  /**
   * Request the initial objects as a stream (KEP-3157). Default true. Falls back to lists in pages if the
   * server refuses.
   */
  watchList?: boolean | undefined;
  /**
   * Milliseconds between resyncs. A resync sends each handler an `updated` for every cached object. A handler
   * that has not finished the previous resync is skipped. Default: never.
   */
  resyncMs?: number | undefined;
  /** Index functions by name. `indexer.byIndex(name, value)` uses them. */
  indexers?: Record<string, IndexFunction<T>> | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
  /** Freeze cached objects, so that a write throws. Default true, unless NODE_ENV is "production". */
  freeze?: boolean | undefined;
  /** Objects per page of a list. Default 500. */
  pageSize?: number | undefined;
  /**
   * Milliseconds without a byte after which a watch counts as dead. Default 180,000. See `ReflectorOptions`.
   */
  silence?: number | undefined;
  /** Called when `lastSyncResourceVersion` advances, after the cache holds the data. Must not throw. */
  progressed?(resourceVersion: string): void;
  /** Receives failures that will be retried, and errors thrown by handlers. Default: a line on stderr. */
  log?(line: string): void;
}

export interface InformerHealth extends ReflectorHealth {
  /** Same as `hasSynced`: once true, it stays true. */
  synced: boolean;
  /**
   * Changes queued for the slowest handler. The queue is unbounded: if a handler never returns, all later
   * changes and their objects stay in memory.
   */
  backlog: number;
  /**
   * When the longest-running handler started, in milliseconds since the epoch. Undefined if none is running.
   */
  busySince: number | undefined;
}

/**
 * One watch and one cache per resource, shared by any number of handlers (client-go: SharedIndexInformer).
 *
 * Promises: once the cluster is quiet, the cache equals a fresh list, and every handler has received the
 * changes that led there. The changes of one object arrive in order, including deletions that happened while
 * the connection was down. If an object was deleted and created again under the same name (another UID),
 * handlers receive a deletion and an addition.
 *
 * Does not promise every intermediate state: changes made while the connection is down arrive as one.
 */
export interface SharedInformer<T extends KubeObject> {
  /**
   * Adds a handler. A handler that is added late first receives the whole cache as additions.
   *
   * @throws Error if the informer has ended, because its cache is no longer updated
   */
  addEventHandler(handler: EventHandler<T>): HandlerRegistration;
  readonly lister: Lister<T>;
  readonly indexer: Indexer<T>;
  /**
   * Adds index functions, preferably before `run`. Later it indexes the whole cache in one synchronous step;
   * with the store "lazy" this parses every object (about 60 µs for an object of a few kilobytes).
   *
   * @throws RangeError if an index of that name exists
   */
  addIndexers(indexers: Record<string, IndexFunction<T>>): void;
  lastSyncResourceVersion(): string;
  /** Returns the state of the connection and the handlers, for readiness probes and metrics. */
  health(): InformerHealth;
  /**
   * Runs until the signal aborts. Resolves when the handlers have processed their queues, so a handler that
   * never returns blocks it. Rejects if the informer was started before.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Returns true once the first list is cached and every handler that existed at that moment has processed
   * it. Once true, it stays true. client-go's covers the cache only. For a handler that is added later, use
   * its registration.
   */
  hasSynced(): boolean;
  /**
   * Resolves when `hasSynced` becomes true. Rejects with the abort reason when `signal`, or the signal of
   * `run`, aborts first.
   */
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

/** Returns an informer over a custom source, for tests. */
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
  /**
   * The handlers that existed when the first list was complete. The informer has synced when all of them
   * have.
   */
  const first = new Set<ReturnType<typeof createProcessor<T>>>();
  const listed = Promise.withResolvers<void>();
  const ended = new AbortController();
  let hasListed = false;
  let started = false;

  const notify: ReturnType<typeof createProcessor<T>>["push"] = (notification) => {
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
    changed: notify,
    isIdle: () => processors.size === 0,
    listed() {
      if (hasListed) return;
      hasListed = true;
      for (const processor of processors) first.add(processor);
      notify({ type: "synced" });
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
      log(
        `informer of ${resource.plural}: ${describe(error)}; trying again${missingResourceAdvice(error, resource)}`,
      ),
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
      if (started)
        throw new Error(`the informer of ${resource.plural} was already started: it can run only once`);
      started = true;
      // Abort now, not when all is done: a handler that never returns would keep `waitForSync` from
      // rejecting.
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

  /** Rejects when the signal aborts, or the informer ends, before the event happens. */
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

/** Returns what to check when the server does not have the resource (404), or "" for any other error. */
function missingResourceAdvice<T extends KubeObject>(error: unknown, resource: Resource<T>): string {
  if (!(error instanceof ApiError) || error.code !== 404) return "";
  const { group, plural } = resource;
  const name = `${plural} in ${apiVersionOf(resource)}`;
  // Groups of built-in kinds have no dot, or end in k8s.io. A CRD may use a group that ends in k8s.io too.
  return group.includes(".")
    ? ` (does the server have ${name}? If not, apply the CustomResourceDefinition ${plural}.${group})`
    : ` (does the server have ${name}?)`;
}
