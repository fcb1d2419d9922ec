import {
  ApiError,
  abortable,
  type Client,
  type Clock,
  type KubeObject,
  type Resource,
} from "@operator-path/client";
import {
  createSharedInformer,
  type SharedInformer,
  type SharedInformerOptions,
} from "@operator-path/informers";
import { isMetadataOnly, partialOf } from "../client/metadata-only.ts";
import { groupResource } from "../client/status-errors.ts";
import type { ResourceHealth } from "./health.ts";
import type { CacheConfig } from "./options.ts";
import { createPendingWrites, type KeyFilter } from "./pending-writes.ts";
import { isSelected } from "./selection.ts";
import type { Write } from "./write.ts";

/** The part of `CacheOptions` that all informers of a cache share, with its defaults. */
export interface WatchedOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string) => void;
  readonly syncTimeout: number;
  readonly staleAfter: number;
  readonly readYourWritesTimeout: number;
  readonly stopping: AbortSignal | undefined;
  readonly freeze: boolean | undefined;
}

/**
 * One informer, for one namespace or all, with the writes that it has not received yet.
 *
 * It is separate from SharedInformer because only a client with a cache notes writes; a program on informers
 * alone has none.
 */
export interface Watched<T extends KubeObject = KubeObject> {
  readonly informer: SharedInformer<T>;
  /** Runs until the signal aborts or `stop` is called. */
  start(signal: AbortSignal): Promise<void>;
  stop(reason: Error): void;
  /** Resolves when the first list is in the cache. */
  listed(signal?: AbortSignal): Promise<void>;
  hasListed(): boolean;
  noteWrite(key: string, write: Write): void;
  /**
   * Resolves when the cache has received the writes to these objects. Returns undefined when it already has.
   */
  settled(keys: KeyFilter, signal?: AbortSignal): Promise<void> | undefined;
  health(): ResourceHealth;
}

/** Selects which part of each object is stored, and how. */
function keeping<T extends KubeObject>(
  resource: Resource<T>,
  { transform, store = "parsed" }: CacheConfig<T>,
): Pick<SharedInformerOptions<T>, "transform" | "store"> {
  if (!isMetadataOnly(resource)) return { ...(transform ? { transform } : {}), store };
  const partial = (object: T) => partialOf(resource, object) satisfies KubeObject as T;
  return {
    // Applied to the result of the transform, which may be another object.
    transform: (object) => partial(transform ? transform(object) : object),
    store: "metadata",
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === 404;
}

/**
 * Whether the server could not convert objects for this watch. This replica may be the one that converts them,
 * and a Service leads only to ready Pods, so a replica that waits for conversions would wait for itself.
 */
function isConversionFailure(error: unknown): boolean {
  return error instanceof ApiError && error.code === 500 && error.message.includes("conversion webhook for ");
}

const tenHours = 10 * 60 * 60 * 1000;

export function createWatched<T extends KubeObject>(
  connection: Client,
  resource: Resource<T>,
  namespace: string,
  config: CacheConfig<T>,
  options: WatchedOptions,
): Watched<T> {
  const { clock, random, log } = options;
  const stopping = new AbortController();
  const firstList = Promise.withResolvers<void>();
  // Avoids an unhandled rejection when nothing waits for the list.
  firstList.promise.catch(() => {});
  let hasListed = false;
  let startedAt: number | undefined;

  const { syncPeriod = tenHours } = config;
  const informer = createSharedInformer<T>(connection, resource, {
    ...(namespace === "" ? {} : { namespace }),
    ...(config.labelSelector ? { labelSelector: config.labelSelector } : {}),
    ...(config.fieldSelector ? { fieldSelector: config.fieldSelector } : {}),
    ...keeping(resource, config),
    // Jitter, so that the resyncs of many resources do not coincide (as in Go).
    ...(syncPeriod > 0 ? { resyncMs: syncPeriod * (1 + random() / 10) } : {}),
    ...(options.freeze === undefined ? {} : { freeze: options.freeze }),
    clock,
    random,
    log,
    progressed() {
      hasListed = true;
      firstList.resolve();
      pending.progressed();
    },
  });

  const pending = createPendingWrites({
    clock,
    timeout: options.readYourWritesTimeout,
    version: () => (hasListed ? informer.lastSyncResourceVersion() : ""),
    uidOf: (key) => informer.lister.get(key)?.metadata?.uid,
    expired(key, version) {
      const { resourceVersion, lastError } = informer.health();
      const cause = lastError ? `; its last failure: ${lastError.message}` : "";
      log(
        `the cache of ${resource.plural} has not received a write to ${key}${version ? ` (resourceVersion ${version})` : ""} within ${options.readYourWritesTimeout / 1000} s: reads now return resourceVersion ${resourceVersion}${cause}`,
      );
    },
  });

  async function waitForList(signal: AbortSignal | undefined): Promise<void> {
    const late = new AbortController();
    const timer = clock.setTimeout(() => late.abort(new Error(notListed())), options.syncTimeout);
    try {
      const ends = [late.signal, options.stopping, signal].filter((each) => each !== undefined);
      await abortable(firstList.promise, AbortSignal.any(ends));
    } finally {
      clock.clearTimeout(timer);
    }
  }

  function notListed(): string {
    const { lastError } = informer.health();
    const where = namespace === "" ? "" : ` of namespace ${namespace}`;
    return `the cache received no list of ${groupResource(resource)}${where} within ${options.syncTimeout / 1000} s${lastError ? `: ${lastError.message}` : ""}`;
  }

  return {
    informer,
    async start(signal) {
      startedAt = clock.steady();
      const ended = AbortSignal.any([signal, stopping.signal]);
      await informer.run(ended);
      firstList.reject(ended.reason);
    },
    stop: (reason) => stopping.abort(reason),
    listed: async (signal) => (hasListed ? undefined : waitForList(signal)),
    hasListed: () => hasListed,
    noteWrite(key, write) {
      const { resourceVersion: version, removed, object } = write;
      if (version === undefined && removed === undefined) return;
      // The cache never receives objects that it does not select, unless it already has this one.
      const concerns =
        (object && isSelected(config, object)) || informer.lister.get(key) !== undefined || pending.has(key);
      if (concerns) pending.note(key, { version, removed });
    },
    settled: pending.settled,
    health() {
      const health = informer.health();
      const sinceStart = startedAt === undefined ? 0 : clock.steady() - startedAt;
      const silentFor = health.silentFor ?? sinceStart;
      // A 404 for the kind: its CRD is optional, or was deleted.
      const isExcused =
        health.failures > 0 && (isMissing(health.lastError) || isConversionFailure(health.lastError));
      const stale = !isExcused && (!hasListed || silentFor > options.staleAfter);
      return { ...health, resource, namespace, silentFor, stale };
    },
  };
}
