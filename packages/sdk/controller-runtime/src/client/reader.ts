import type { Frozen, KubeObject, LabelSelector, Resource } from "@operator-path/client";
import type { ObjectKey } from "./object-key.ts";

export interface GetOptions {
  /** Gives the wait up, for the server or for a cache that has not synced yet. */
  signal?: AbortSignal | undefined;
}

/** What is to be listed: everything that all of these hold for. */
export interface ListOptions {
  /** Default: all namespaces (that the cache has). */
  namespace?: string | undefined;
  /** Labels that an object must have, with these values (Go: MatchingLabels). */
  labels?: Readonly<Record<string, string>> | undefined;
  /** As it stands in a Deployment, or the text that `kubectl -l` takes. */
  labelSelector?: LabelSelector | string | undefined;
  /**
   * Fields that must have these values (Go: MatchingFields). From a cache, each is the name of an index (`indexField`),
   * or metadata.name or metadata.namespace; from the server, one of the fields that it selects by.
   */
  fields?: Readonly<Record<string, string>> | undefined;
  /** At most so many objects. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Reads objects, from the server or from a cache (Go: client.Reader).
 *
 * What a cache returns is shared with all its readers, so a change to it does not compile, and it is frozen unless NODE_ENV
 * is "production". Make the object that you want from it with a spread or a copy (Go copies each object on each read):
 *
 *     const draft: Deployment = structuredClone(deployment);
 */
export interface Reader {
  /** @throws ApiError with the reason NotFound (`isNotFound`, `ignoreNotFound`) when there is no such object */
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: GetOptions): Promise<Frozen<T>>;
  /**
   * In no particular order, all of them; from the server they are asked for in pages.
   *
   * @throws RangeError when a cache has no index for one of `fields`
   */
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<Frozen<T>[]>;
}
