import type { Frozen, KubeObject, LabelSelector, Resource } from "@operator-path/client";
import type { ObjectKey } from "./object-key.ts";

/** Configures `Reader.get`. */
export interface GetOptions {
  /** Cancels the request, or the wait for a cache that has not synced yet. */
  signal?: AbortSignal | undefined;
}

/** Selects what to list. All conditions must hold. */
export interface ListOptions {
  /** Default: all namespaces that the reader covers. */
  namespace?: string | undefined;
  /** Labels that an object must have, with these values. Go: MatchingLabels. */
  labels?: Readonly<Record<string, string>> | undefined;
  /** A selector as in a Deployment, or the text that `kubectl -l` takes. */
  labelSelector?: LabelSelector | string | undefined;
  /**
   * Fields that must have these values. From a cache, a name is an index (`indexField`), metadata.name or
   * metadata.namespace. From the server, it is a field that the server can select by. Go: MatchingFields.
   */
  fields?: Readonly<Record<string, string>> | undefined;
  /** The maximum number of objects. Default: no limit. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Reads objects from the server or from a cache. Go: client.Reader.
 *
 * All readers of a cache share its objects. So a change to one does not compile, and the object is frozen
 * unless NODE_ENV is "production". Create the object that you want with a spread or a copy (Go copies each
 * object on each read):
 *
 *     const draft: Deployment = structuredClone(deployment);
 */
export interface Reader {
  /**
   * Returns an object.
   *
   * @throws ApiError with the reason NotFound when the object does not exist (`isNotFound`,
   *   `ignoreNotFound`)
   */
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: GetOptions): Promise<Frozen<T>>;
  /**
   * Returns all selected objects, in no particular order. Requests them from the server in pages.
   *
   * @throws RangeError when a cache has no index for one of `fields`
   */
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<Frozen<T>[]>;
}
