import type { Frozen, KubeObject, LabelSelector } from "@operator-path/client";
import { compileSelector } from "./selectors.ts";
import type { Entry } from "./store/entry.ts";
import { type EntryStore, namespaceIndex } from "./store/entry-store.ts";

/**
 * Reads from an informer's cache without a request (client-go: listers).
 *
 * The result may be older than the cluster: usually by milliseconds, by more while the watch is down. All
 * readers share the objects, so the types forbid a change. To change a copy, write `const draft: Pod =
 * structuredClone(pod)`.
 */
export interface Lister<T extends KubeObject> {
  /** @throws SyntaxError if the text is not a label selector, even if the cache is empty */
  list(selector?: LabelSelector | string): Frozen<T>[];
  /** Takes "name" for a cluster-scoped object, otherwise "namespace/name". */
  get(key: string): Frozen<T> | undefined;
  /** "" selects all namespaces and the cluster-scoped objects (client-go: NamespaceAll). */
  namespace(namespace: string): NamespaceLister<T>;
}

export interface NamespaceLister<T extends KubeObject> {
  list(selector?: LabelSelector | string): Frozen<T>[];
  get(name: string): Frozen<T> | undefined;
}

/**
 * Matches labels on the metadata only: objects that do not match are not parsed. If the label sketch already
 * rules a match out, the metadata is not parsed either.
 */
export function createLister<T extends KubeObject>(store: EntryStore<T>): Lister<T> {
  const frozen = (entry: Entry<T>) => entry.object() as Frozen<T>;
  const found = (entry: Entry<T> | undefined) => entry && frozen(entry);
  function select(entries: Iterable<Entry<T>>, selector?: LabelSelector | string): Frozen<T>[] {
    const compiled = selector === undefined ? undefined : compileSelector(selector);
    const objects: Frozen<T>[] = [];
    for (const entry of entries) {
      if (!compiled || (compiled.mayMatch(entry) && compiled.matches(entry.metadata().labels))) {
        objects.push(frozen(entry));
      }
    }
    return objects;
  }
  return {
    list: (selector) => select(store.entries(), selector),
    get: (key) => found(store.get(key)),
    namespace: (namespace) => ({
      list: (selector) =>
        select(namespace === "" ? store.entries() : store.byIndex(namespaceIndex, namespace), selector),
      get: (name) => found(store.get(namespace === "" ? name : `${namespace}/${name}`)),
    }),
  };
}

/**
 * Finds cached objects by key and by index (client-go: Indexer). All readers share the objects: never modify
 * them.
 */
export interface Indexer<T extends KubeObject> {
  get(key: string): T | undefined;
  /** Returns the objects in no particular order. */
  list(): T[];
  keys(): IterableIterator<string>;
  /** @throws RangeError if the index does not exist */
  byIndex(index: string, value: string): T[];
  readonly size: number;
}

export function createIndexer<T extends KubeObject>(store: EntryStore<T>): Indexer<T> {
  return {
    get: (key) => store.get(key)?.object(),
    list: () => Array.from(store.entries(), (entry) => entry.object()),
    keys: () => store.keys(),
    byIndex: (index, value) => store.byIndex(index, value).map((entry) => entry.object()),
    get size() {
      return store.size;
    },
  };
}
