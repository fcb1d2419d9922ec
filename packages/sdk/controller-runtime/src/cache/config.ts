import type { KubeObject, Resource } from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";
import { allNamespaces, type CacheConfig, type CachedNamespaces, type CacheOptions } from "./options.ts";

/**
 * Returns the watch settings of a resource by namespace. `allNamespaces` covers the namespaces that are not
 * listed. Go: defaultOpts.
 *
 * @throws TypeError when `byObject` sets namespaces for a cluster-scoped resource
 */
export function configsFor<T extends KubeObject>(
  resource: Resource<T>,
  options: CacheOptions,
): Map<string, CacheConfig<T>> {
  const own = options.byObject?.find((entry) => isSame(entry.resource, resource));
  if (!resource.namespaced) {
    if (own?.namespaces) {
      throw new TypeError(
        `byObject sets namespaces for ${resource.plural}, which are cluster-scoped: leave them out`,
      );
    }
    return new Map([[allNamespaces, merge(own ?? {}, options)]]);
  }
  const defaults = byNamespace(options.namespaces);
  const chosen = own?.namespaces
    ? byNamespace(own.namespaces)
    : new Map([...defaults.keys()].map((name) => [name, {}]));
  if (chosen.size === 0) chosen.set(allNamespaces, {});
  const configs = new Map<string, CacheConfig<T>>();
  for (const [namespace, config] of chosen) {
    configs.set(namespace, merge(config, own ?? {}, defaults.get(namespace) ?? {}, options));
  }
  return withoutNamed(configs);
}

/**
 * Validates the settings when the cache is created instead of at the first read.
 *
 * @throws SyntaxError when a label selector is invalid
 * @throws RangeError when a store is unknown
 */
export function checkSettings(options: CacheOptions): void {
  const all = [options, ...(options.byObject ?? [])].flatMap((config) => [
    config,
    ...byNamespace(config.namespaces).values(),
  ]);
  for (const { labelSelector = "", store = "parsed" } of all) {
    if (!["parsed", "lazy"].includes(store)) {
      throw new RangeError(
        `cache: ${JSON.stringify(store)} is not a store: choose parsed or lazy, or read metadataOnly(resource) where metadata is enough`,
      );
    }
    try {
      matchLabels(labelSelector, {});
    } catch (error) {
      throw new SyntaxError(`cache: ${(error as Error).message}`, { cause: error });
    }
  }
}

function isSame(a: Resource, b: Resource): boolean {
  return a.group === b.group && a.version === b.version && a.plural === b.plural;
}

function byNamespace(namespaces: CachedNamespaces | undefined): Map<string, CacheConfig> {
  if (!namespaces) return new Map();
  return isNames(namespaces)
    ? new Map(namespaces.map((name) => [name, {}]))
    : new Map(Object.entries(namespaces));
}

/** Array.isArray does not narrow readonly arrays. */
function isNames(namespaces: CachedNamespaces): namespaces is readonly string[] {
  return Array.isArray(namespaces);
}

/** Takes each setting from the first config that defines it. */
function merge<T extends KubeObject>(...configs: CacheConfig[]): CacheConfig<T> {
  const merged: CacheConfig = {};
  for (const config of configs.reverse()) {
    for (const name of ["labelSelector", "fieldSelector", "transform", "store", "syncPeriod"] as const) {
      if (config[name] !== undefined) Object.assign(merged, { [name]: config[name] });
    }
  }
  // Settings for any kind of object are also valid for this kind.
  return merged as CacheConfig<T>;
}

/** Excludes namespaces that have their own watch from the watch of all others. */
function withoutNamed<T extends KubeObject>(configs: Map<string, CacheConfig<T>>): typeof configs {
  const rest = configs.get(allNamespaces);
  if (rest && configs.size > 1) {
    const others = [...configs.keys()].filter((name) => name !== allNamespaces);
    const selectors = [...others.map((name) => `metadata.namespace!=${name}`), rest.fieldSelector ?? ""];
    configs.set(allNamespaces, { ...rest, fieldSelector: selectors.filter(Boolean).join(",") });
  }
  return configs;
}
