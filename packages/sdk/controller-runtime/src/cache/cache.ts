import type { KubeObject, Resource } from "@operator-path/client";
import type { IndexFunction } from "@operator-path/informers";
import type { GetOptions, Reader } from "../client/reader.ts";
import type { CacheHealth } from "./health.ts";
import type { Informer } from "./informer.ts";
import type { Write } from "./write.ts";

/** Configures `Cache.informer`. */
export interface InformerOptions extends GetOptions {
  /** Whether to wait for the first list. Default true. Before the cache starts, `informer` never waits. */
  waitForSync?: boolean | undefined;
}

/**
 * Stores the objects of any number of resources and keeps them up to date with one watch per resource.
 * Creates an informer at the first request or read of its resource, also while the cache runs.
 * Go: cache.Cache.
 *
 * All readers share the objects. They are frozen unless NODE_ENV is "production" (`CacheOptions.freeze`).
 */
export interface Cache extends Reader {
  /**
   * Returns the informer of a resource, the same one each time.
   *
   * @throws Error when the first list does not arrive within `syncTimeout`
   */
  informer<T extends KubeObject>(resource: Resource<T>, options?: InformerOptions): Promise<Informer<T>>;
  /**
   * Stops the watch and drops its objects. Its handlers receive nothing more. The next read starts a new
   * informer with the same indexes.
   */
  removeInformer(resource: Resource): Promise<void>;
  /**
   * Adds an index: `list(resource, { fields: { [field]: value } })` then returns the objects for which
   * `index` returns that value. Can be called at any time.
   *
   * @throws RangeError when an index of that name exists
   */
  indexField<T extends KubeObject>(resource: Resource<T>, field: string, index: IndexFunction<T>): void;
  /**
   * Records a write, so that reads that could see the object wait until the cache has received it. A client
   * with this cache as its reader calls it. Call it yourself for writes that bypass that client.
   */
  noteWrite(write: Write): void;
  /** Runs until the signal aborts, and resolves when every watch has ended. Call it once. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when every informer has synced. Rejects when the signal aborts first. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /** Returns the state of each informer, for readiness probes and metrics. */
  health(): CacheHealth;
}
