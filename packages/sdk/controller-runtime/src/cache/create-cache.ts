import { type Client, type KubeObject, type Resource, systemClock } from "@operator-path/client";
import type { IndexFunction } from "@operator-path/informers";
import { isMetadataOnly } from "../client/metadata-only.ts";
import { groupResource } from "../client/status-errors.ts";
import { untilAborted } from "../until-aborted.ts";
import type { Cache } from "./cache.ts";
import { checkSettings, configsFor } from "./config.ts";
import type { CacheOptions } from "./options.ts";
import { createResourceCache, type ResourceCache } from "./resource-cache.ts";
import type { WatchedOptions } from "./watched.ts";

/** The cache has not started, or has ended, and cannot wait for objects. Go: cache.ErrCacheNotStarted. */
export class CacheNotStartedError extends Error {
  constructor(resource: Resource, hasEnded = false) {
    super(
      hasEnded
        ? `the cache has ended and cannot read ${groupResource(resource)}: it has no watch for them`
        : `the cache has not started and cannot read ${groupResource(resource)}: start the manager first, or read with its apiReader`,
    );
    this.name = "CacheNotStartedError";
  }
}

/**
 * A read of a resource without an informer, while `readerFailOnMissingInformer` is set.
 * Go: cache.ErrResourceNotCached.
 */
export class ResourceNotCachedError extends Error {
  constructor(resource: Resource) {
    super(
      `the cache has no informer for ${groupResource(resource)}, and readerFailOnMissingInformer stops reads from creating one: call cache.informer(resource), or watch the resource`,
    );
    this.name = "ResourceNotCachedError";
  }
}

/**
 * Creates a cache over one connection. It sends no request before it starts. Go: cache.New.
 *
 * @throws TypeError when `byObject` sets namespaces for a cluster-scoped resource
 * @throws SyntaxError when a label selector is invalid
 * @throws RangeError when a store is unknown
 */
export function createCache(connection: Client, options: CacheOptions = {}): Cache {
  const caches = new Map<string, ResourceCache>();
  const indexes = new Map<string, Map<string, IndexFunction<KubeObject>>>();
  const running = new Set<Promise<void>>();
  let lifetime: AbortSignal | undefined;
  const settings: WatchedOptions = {
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    log: options.log ?? ((line) => console.error(line)),
    syncTimeout: options.syncTimeout ?? 120_000,
    staleAfter: options.staleAfter ?? 240_000,
    readYourWritesTimeout: options.readYourWritesTimeout ?? 5_000,
    stopping: options.stopping,
    freeze: options.freeze,
  };
  checkSettings(options);
  for (const { resource } of options.byObject ?? []) configsFor(resource, options);

  function cacheOf<T extends KubeObject>(resource: Resource<T>): ResourceCache<T> {
    const key = keyOf(resource);
    // The map loses the type of the objects. The key restores it: it comes from the resource that carries the
    // type.
    const known = caches.get(key) as unknown as ResourceCache<T> | undefined;
    if (known) return known;
    const own = indexes.get(key) ?? new Map<string, IndexFunction<T>>();
    indexes.set(key, own as Map<string, IndexFunction<KubeObject>>);
    const made = createResourceCache<T>(connection, resource, own, options, settings);
    caches.set(key, made as unknown as ResourceCache);
    if (lifetime && !lifetime.aborted) run(made as unknown as ResourceCache, lifetime);
    return made;
  }

  function run(cache: ResourceCache, signal: AbortSignal): void {
    const ended = cache.start(signal).finally(() => running.delete(ended));
    running.add(ended);
  }

  function readable<T extends KubeObject>(resource: Resource<T>): ResourceCache<T> {
    if (options.readerFailOnMissingInformer && !caches.has(keyOf(resource))) {
      throw new ResourceNotCachedError(resource);
    }
    if (!lifetime) throw new CacheNotStartedError(resource);
    if (lifetime.aborted && !caches.has(keyOf(resource))) throw new CacheNotStartedError(resource, true);
    return cacheOf(resource);
  }

  return {
    async informer(resource, { signal, waitForSync = true } = {}) {
      const cache = cacheOf(resource);
      if (lifetime && waitForSync) await cache.listed(signal);
      return cache.informer;
    },
    async removeInformer(resource) {
      const key = keyOf(resource);
      const cache = caches.get(key);
      caches.delete(key);
      cache?.stop(new Error(`the informer of ${groupResource(resource)} was removed`));
    },
    indexField: (resource, field, index) => cacheOf(resource).indexField(field, index),
    get: async (resource, key, getOptions = {}) => readable(resource).get(key, getOptions),
    list: async (resource, listOptions = {}) => readable(resource).list(listOptions),
    noteWrite(write) {
      for (const cache of caches.values()) {
        // Other versions of the resource, and its metadata-only informer, show the same object.
        const { group, plural } = cache.resource;
        if (group === write.resource.group && plural === write.resource.plural) cache.noteWrite(write);
      }
    },
    async start(signal) {
      if (lifetime) throw new Error("the cache has already started: a cache runs once");
      lifetime = signal;
      for (const cache of caches.values()) run(cache, signal);
      await untilAborted(signal);
      await Promise.all(running);
    },
    async waitForSync(signal) {
      await Promise.all([...caches.values()].map((cache) => cache.listed(signal)));
    },
    health() {
      const informers = [...caches.values()].flatMap(({ watched }) => watched.map((each) => each.health()));
      return { healthy: informers.every(({ stale }) => !stale), informers };
    },
  };
}

function keyOf(resource: Resource): string {
  const { group, version, plural } = resource;
  return `${group}/${version}/${plural}${isMetadataOnly(resource) ? " (metadata)" : ""}`;
}
