import type { Frozen, KubeObject, LabelSelector } from "@operator-path/client";
import { compileSelector } from "./selectors.ts";
import type { Entry } from "./store/entry.ts";
import type { EntryStore } from "./store/entry-store.ts";
import { namespaceIndex } from "./store/indexes.ts";

/**
 * Reads from an informer's cache (client-go: listers). No request is made, and what is read may be older than the
 * cluster: by milliseconds usually, by more while the watch is down. The objects are shared, so a change to one
 * does not compile: `const draft: Pod = structuredClone(pod)` may be changed.
 */
export interface Lister<T extends KubeObject> {
  /** @throws SyntaxError when a text is no selector, whatever there is in the cache */
  list(selector?: LabelSelector | string): Frozen<T>[];
  /** A cluster-scoped object, or "namespace/name". */
  get(key: string): Frozen<T> | undefined;
  /** "": all of them, and what has none (client-go: NamespaceAll). */
  namespace(namespace: string): NamespaceLister<T>;
}

export interface NamespaceLister<T extends KubeObject> {
  list(selector?: LabelSelector | string): Frozen<T>[];
  get(name: string): Frozen<T> | undefined;
}

/**
 * Labels are looked for in the metadata alone: objects that do not match are not parsed, nor is their metadata where the
 * sketch of their labels tells already that they do not.
 */
export function createLister<T extends KubeObject>(store: EntryStore<T>): Lister<T> {
  const frozen = (entry: Entry<T>) => entry.object() as Frozen<T>;
  const found = (entry: Entry<T> | undefined) => entry && frozen(entry);
  function select(entries: Iterable<Entry<T>>, selector?: LabelSelector | string): Frozen<T>[] {
    const compiled = selector === undefined ? undefined : compileSelector(selector);
    const objects: Frozen<T>[] = [];
    for (const entry of entries) {
      if (!compiled || (compiled.fits(entry) && compiled.matches(entry.metadata().labels))) {
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
