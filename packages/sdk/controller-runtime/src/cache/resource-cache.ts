import { type Client, type Frozen, type KubeObject, type Resource, UsageError } from "@operator-path/client";
import type { IndexFunction } from "@operator-path/informers";
import type { ObjectKey } from "../client/object-key.ts";
import type { GetOptions, ListOptions } from "../client/reader.ts";
import { groupResource, notFound } from "../client/status-errors.ts";
import { configsFor } from "./config.ts";
import type { Informer } from "./informer.ts";
import { allNamespaces, type CacheOptions } from "./options.ts";
import { checkFields, selectObjects } from "./select-objects.ts";
import { createWatched, type Watched, type WatchedOptions } from "./watched.ts";
import type { Write } from "./write.ts";

/**
 * The cache of one resource.
 *
 * It is separate from Watched because a cache may watch several namespaces, with one informer each, and must
 * present them as one (Go: multiNamespaceCache).
 */
export interface ResourceCache<T extends KubeObject = KubeObject> {
  readonly resource: Resource<T>;
  readonly informer: Informer<T>;
  readonly watched: readonly Watched<T>[];
  start(signal: AbortSignal): Promise<void>;
  stop(reason: Error): void;
  listed(signal?: AbortSignal): Promise<void>;
  get(key: ObjectKey, options: GetOptions): Promise<Frozen<T>>;
  list(options: ListOptions): Promise<Frozen<T>[]>;
  indexField(field: string, index: IndexFunction<T>): void;
  noteWrite(write: Write): void;
}

/** @param indexes the initial indexes. `indexField` adds to them, so that they outlive this cache. */
export function createResourceCache<T extends KubeObject>(
  connection: Client,
  resource: Resource<T>,
  indexes: Map<string, IndexFunction<T>>,
  cacheOptions: CacheOptions,
  options: WatchedOptions,
): ResourceCache<T> {
  const byNamespace = new Map<string, Watched<T>>();
  for (const [namespace, config] of configsFor(resource, cacheOptions)) {
    byNamespace.set(namespace, createWatched(connection, resource, namespace, config, options));
  }
  const watched = [...byNamespace.values()];
  for (const each of watched) each.informer.addIndexers(Object.fromEntries(indexes));
  let isRemoved = false;
  let lifetime: AbortSignal | undefined;

  /** Returns the informer that covers a namespace, if any. */
  const home = (namespace: string) => byNamespace.get(namespace) ?? byNamespace.get(allNamespaces);

  function homes(namespace: string): Watched<T>[] {
    if (namespace === "" || !resource.namespaced) return watched;
    const one = home(namespace);
    if (!one) throw unknownNamespace(namespace);
    return [one];
  }

  function unknownNamespace(namespace: string): UsageError {
    const known = [...byNamespace.keys()].join(", ");
    return new UsageError(
      `the cache of ${groupResource(resource)} does not watch namespace ${JSON.stringify(namespace)}, only ${known}: add it to the cache's namespaces, or read with the API reader`,
    );
  }

  const informer: Informer<T> = {
    addEventHandler(handler) {
      const registrations = watched.map((each) => each.informer.addEventHandler(handler));
      return {
        hasSynced: () => registrations.every((registration) => registration.hasSynced()),
        async waitForSync(signal) {
          await Promise.all(registrations.map((registration) => registration.waitForSync(signal)));
        },
        remove() {
          for (const registration of registrations) registration.remove();
        },
      };
    },
    hasSynced: () => watched.every((each) => each.informer.hasSynced()),
    async waitForSync(signal) {
      await Promise.all(watched.map((each) => each.informer.waitForSync(signal)));
    },
    isStopped: () => isRemoved || lifetime?.aborted === true,
  };

  return {
    resource,
    informer,
    watched,
    async start(signal) {
      // No abort listener: it would keep a removed cache and its objects in memory as long as the signal
      // lives.
      lifetime = signal;
      await Promise.all(watched.map((each) => each.start(signal)));
    },
    stop(reason) {
      isRemoved = true;
      for (const each of watched) each.stop(reason);
    },
    async listed(signal) {
      await Promise.all(watched.map((each) => each.listed(signal)));
    },
    async get({ namespace = "", name }, { signal }) {
      if (resource.namespaced && namespace === "") {
        throw new UsageError(
          `a ${resource.kind} is namespaced: set the namespace in the key of ${JSON.stringify(name)}`,
        );
      }
      const [one] = homes(namespace);
      if (!one) throw unknownNamespace(namespace);
      const key = resource.namespaced ? `${namespace}/${name}` : name;
      await one.listed(signal);
      await one.settled({ key }, signal);
      const object = one.informer.lister.get(key);
      if (!object) throw notFound(resource, name);
      return object;
    },
    async list(listOptions) {
      const { namespace = "", limit, signal } = listOptions;
      checkFields(indexes, listOptions);
      const asked = homes(namespace);
      await Promise.all(asked.map((each) => each.listed(signal)));
      const scope = { namespace: resource.namespaced ? namespace : "" };
      await Promise.all(asked.map((each) => each.settled(scope, signal)));
      const objects = asked.flatMap((each) =>
        selectObjects(each.informer, indexes, { ...listOptions, namespace: scope.namespace }),
      );
      return limit ? objects.slice(0, limit) : objects;
    },
    indexField(field, index) {
      if (indexes.has(field)) {
        throw new RangeError(
          `the cache of ${groupResource(resource)} already has an index ${JSON.stringify(field)}`,
        );
      }
      indexes.set(field, index);
      for (const each of watched) each.informer.addIndexers({ [field]: index });
    },
    noteWrite(write) {
      const { namespace = "", name } = write.key;
      const key = resource.namespaced ? `${namespace}/${name}` : name;
      home(resource.namespaced ? namespace : allNamespaces)?.noteWrite(key, write);
    },
  };
}
