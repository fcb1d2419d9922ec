import type { KubeObject, Resource } from "@operator-path/client";
import type { IndexFunction } from "@operator-path/informers";
import type { GetOptions, Reader } from "../client/reader.ts";
import type { CacheHealth } from "./health.ts";
import type { Informer } from "./informer.ts";
import type { Write } from "./write.ts";

export interface InformerOptions extends GetOptions {
  /** Resolve when the first list is in the cache. Default true, once the cache was started; before, nothing can come. */
  waitForSync?: boolean | undefined;
}

/**
 * The objects of any number of resources, kept equal to the server's by one watch each (Go: cache.Cache). A resource's
 * informer is made when it is first asked for, or read, also while the cache runs.
 *
 * Objects are shared with every reader, and frozen unless NODE_ENV is "production" (`CacheOptions.freeze`).
 */
export interface Cache extends Reader {
  /** The same informer each time. @throws Error, as reads do, when there is no first list within `syncTimeout` */
  informer<T extends KubeObject>(resource: Resource<T>, options?: InformerOptions): Promise<Informer<T>>;
  /**
   * Stops the watch and forgets the objects; handlers hear nothing any more. The next read begins anew, with the indexes
   * that there were.
   */
  removeInformer(resource: Resource): Promise<void>;
  /**
   * Finds objects by what the function says of them: `list(resource, { fields: { [field]: value } })`. At any time.
   *
   * @throws Error when there is another index of that name
   */
  indexField<T extends KubeObject>(resource: Resource<T>, field: string, index: IndexFunction<T>): void;
  /**
   * Of a write that was made with the client that has this cache for its reader: reads that could see the object wait
   * until the cache has heard of it. Call it for writes that are made past that client.
   */
  noteWrite(write: Write): void;
  /** Runs until the signal aborts, and resolves when every watch has ended. Once. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when every informer that there is has synced. Rejects when a signal aborts first. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /** For readiness probes and metrics. */
  health(): CacheHealth;
}
