import type { Clock, KubeObject, Resource } from "@operator-path/client";
import type { SharedInformerOptions } from "@operator-path/informers";

/**
 * Selects what a cache stores of a resource, and how. An undefined option inherits the next wider setting.
 */
export interface CacheConfig<T extends KubeObject = KubeObject> {
  /** A selector as `kubectl -l` takes it. "" selects every object, whatever a wider setting says. */
  labelSelector?: string;
  /** A selector as `kubectl --field-selector` takes it. "" selects every object. */
  fieldSelector?: string;
  /** Changes an object before it is cached. See SharedInformerOptions of @operator-path/informers. */
  transform?(object: T): T;
  /**
   * Default "parsed". Choose "lazy" to cache many objects of which few are read. For metadata only:
   * `metadataOnly(resource)`.
   */
  store?: Exclude<SharedInformerOptions<KubeObject>["store"], "metadata" | undefined>;
  /**
   * Milliseconds between resyncs: each calls every handler for every object again, as an update. Default: ten
   * hours as in Go, plus up to 10 %. 0 disables resyncs.
   */
  syncPeriod?: number;
}

/** A list of names, or a setting for each name. `allNamespaces` covers the names that are not listed. */
export type CachedNamespaces<T extends KubeObject = KubeObject> =
  | readonly string[]
  | Readonly<Record<string, CacheConfig<T>>>;

/** The key of `namespaces` that means all namespaces. */
export const allNamespaces = "";

/** The cache settings of one resource. Go: cache.ByObject. */
export interface ByObject<T extends KubeObject = KubeObject> extends CacheConfig<T> {
  readonly resource: Resource<T>;
  /** Watches only these namespaces. An empty list means all, whatever the cache's own `namespaces` says. */
  namespaces?: CachedNamespaces<T>;
}

/**
 * Configures a cache. The most specific setting applies, in this order: the namespace in `byObject`,
 * `byObject`, the namespace in `namespaces`, the cache itself. Go: cache.Options.
 */
export interface CacheOptions extends CacheConfig {
  /** Watches only these namespaces. Default: all. Has no effect on cluster-scoped resources. */
  namespaces?: CachedNamespaces | undefined;
  byObject?: readonly ByObject[] | undefined;
  /**
   * Milliseconds that a read waits for the first list. Then it fails, and the error says why there is no
   * list. Default 120,000.
   */
  syncTimeout?: number | undefined;
  /**
   * Milliseconds that a read waits for the cache to receive an earlier write. Then the cache logs it and
   * answers with its current state. Default 5,000. 0: reads never wait.
   */
  readYourWritesTimeout?: number | undefined;
  /**
   * Freezes cached objects, so that changing one throws instead of changing what every reader sees. Default:
   * true unless NODE_ENV is "production". It costs most of what parsing costs.
   */
  freeze?: boolean | undefined;
  /**
   * Reads of a resource without an informer throw a ResourceNotCachedError instead of creating one. Default
   * false.
   */
  readerFailOnMissingInformer?: boolean | undefined;
  /**
   * Milliseconds without an answer from the server after which `health()` reports a resource as stale.
   * Default 240,000.
   */
  staleAfter?: number | undefined;
  /**
   * Ends waits for first lists: once it aborts, such reads reject with its reason. A manager aborts it when
   * it begins to stop, so that a read of a missing kind does not delay the shutdown.
   */
  stopping?: AbortSignal | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
  /** Called with each failure that will be retried. Default: writes a line to stderr. */
  log?(line: string): void;
}

/** Returns an entry for `CacheOptions.byObject`, with the type of its objects inferred. */
export function byObject<T extends KubeObject>(
  resource: Resource<T>,
  options: Omit<ByObject<T>, "resource">,
): ByObject {
  return { ...options, resource } as ByObject<T> as unknown as ByObject;
}
