import type { KubeObject, Resource } from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";
import { allNamespaces, type CacheConfig, type CachedNamespaces, type CacheOptions } from "./options.ts";

/**
 * What is to be watched of a resource: a setting for each namespace, `allNamespaces` standing for those that are not
 * named (Go: defaultOpts).
 *
 * @throws TypeError when a cluster-scoped resource is given namespaces
 */
export function configsFor<T extends KubeObject>(
  resource: Resource<T>,
  options: CacheOptions,
): Map<string, CacheConfig<T>> {
  const own = options.byObject?.find((entry) => isSame(entry.resource, resource));
  if (!resource.namespaced) {
    if (own?.namespaces) {
      throw new TypeError(
        `byObject gives namespaces to ${resource.plural}, which are cluster-scoped: leave them out`,
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
 * Where they are given, and not where the first object is read or compared.
 *
 * @throws SyntaxError when a label selector is none
 * @throws RangeError when a store is none
 */
export function checkSettings(options: CacheOptions): void {
  const all = [options, ...(options.byObject ?? [])].flatMap((config) => [
    config,
    ...byNamespace(config.namespaces).values(),
  ]);
  for (const { labelSelector = "", store = "parsed" } of all) {
    if (!["parsed", "lazy"].includes(store)) {
      throw new RangeError(
        `cache: there is no store ${JSON.stringify(store)}: choose parsed or lazy, and read metadataOnly(resource) where metadata is enough`,
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

/** Of each setting the first one that says anything. */
function merge<T extends KubeObject>(...configs: CacheConfig[]): CacheConfig<T> {
  const merged: CacheConfig = {};
  for (const config of configs.reverse()) {
    for (const name of ["labelSelector", "fieldSelector", "transform", "store", "syncPeriod"] as const) {
      if (config[name] !== undefined) Object.assign(merged, { [name]: config[name] });
    }
  }
  // Settings of all kinds of objects are settings of this kind too.
  return merged as CacheConfig<T>;
}

/** A namespace that has a setting of its own is not watched by the informer of all the others. */
function withoutNamed<T extends KubeObject>(configs: Map<string, CacheConfig<T>>): typeof configs {
  const rest = configs.get(allNamespaces);
  if (rest && configs.size > 1) {
    const others = [...configs.keys()].filter((name) => name !== allNamespaces);
    const selectors = [...others.map((name) => `metadata.namespace!=${name}`), rest.fieldSelector ?? ""];
    configs.set(allNamespaces, { ...rest, fieldSelector: selectors.filter(Boolean).join(",") });
  }
  return configs;
}
