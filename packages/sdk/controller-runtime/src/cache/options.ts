import type { Clock, KubeObject, Resource } from "@operator-path/client";
import type { SharedInformerOptions } from "@operator-path/informers";

/** What a cache keeps of a resource, and how. Undefined: what the next wider setting says. */
export interface CacheConfig<T extends KubeObject = KubeObject> {
  /** The text that `kubectl -l` takes. "": every object, whatever a wider setting says. */
  labelSelector?: string;
  /** The text that `kubectl --field-selector` takes. "": every object. */
  fieldSelector?: string;
  /** Changes an object before it is cached; see SharedInformerOptions of @operator-path/informers. */
  transform?(object: T): T;
  /** Default "parsed"; "lazy" where many objects are cached and few are read. For metadata alone: `metadataOnly(resource)`. */
  store?: Exclude<SharedInformerOptions<KubeObject>["store"], "metadata" | undefined>;
  /**
   * Milliseconds after which every handler is told of every object again, as an update. Default: ten hours, as in Go,
   * and up to a tenth more. 0: never.
   */
  syncPeriod?: number;
}

/** As a list of names; or with a setting for each. `allNamespaces` stands for those that are not named. */
export type CachedNamespaces<T extends KubeObject = KubeObject> =
  | readonly string[]
  | Readonly<Record<string, CacheConfig<T>>>;

/** The key of `namespaces` that means all of them. */
export const allNamespaces = "";

/** Go: cache.ByObject. */
export interface ByObject<T extends KubeObject = KubeObject> extends CacheConfig<T> {
  readonly resource: Resource<T>;
  /** Only these. An empty list: all of them, whatever the cache's own `namespaces` says. */
  namespaces?: CachedNamespaces<T>;
}

/**
 * Go: cache.Options. For one object the setting of its namespace in `byObject` comes first, then that of `byObject`, then
 * that of its namespace in `namespaces`, then the cache's own.
 */
export interface CacheOptions extends CacheConfig {
  /** Only these. Default: all. Does not concern cluster-scoped resources. */
  namespaces?: CachedNamespaces | undefined;
  byObject?: readonly ByObject[] | undefined;
  /**
   * Milliseconds that a first read waits for the first list before it fails with an error that says why there is none.
   * Default two minutes.
   */
  syncTimeout?: number | undefined;
  /**
   * Milliseconds that a read waits for the cache to hear of a write that was made before. Default 5,000; then it is
   * logged, and what there is is the answer. 0: reads never wait.
   */
  readYourWritesTimeout?: number | undefined;
  /**
   * Freeze cached objects, so that changing one throws, where it would otherwise change what every reader sees. Default:
   * unless NODE_ENV is "production"; it costs most of what parsing costs.
   */
  freeze?: boolean | undefined;
  /** A read of a resource that nobody has asked an informer for is a ResourceNotCachedError, and does not make one. */
  readerFailOnMissingInformer?: boolean | undefined;
  /** Milliseconds without an answer from the server after which a resource counts as stale, in `health()`. Default 240,000. */
  staleAfter?: number | undefined;
  /**
   * From when it aborts on, nobody waits for a first list any more: such reads reject with its reason. A manager's does
   * when it begins to stop, so that a read of a kind that is not there does not hold up the end.
   */
  stopping?: AbortSignal | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
  /** Told what went wrong and will be retried. Default: a line on stderr. */
  log?(line: string): void;
}

/** An entry of `CacheOptions.byObject`, with the type of its objects inferred. */
export function byObject<T extends KubeObject>(
  resource: Resource<T>,
  options: Omit<ByObject<T>, "resource">,
): ByObject {
  return { ...options, resource } as ByObject<T> as unknown as ByObject;
}
