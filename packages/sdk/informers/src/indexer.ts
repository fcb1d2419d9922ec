import type { KubeObject } from "@operator-path/client";
import type { EntryStore } from "./store/entry-store.ts";

export type { IndexFunction } from "./store/indexes.ts";

/**
 * Objects by key, and by any number of indexes (client-go: Indexer). Objects are shared with every reader: they are
 * never to be changed.
 */
export interface Indexer<T extends KubeObject> {
  get(key: string): T | undefined;
  /** In no particular order. */
  list(): T[];
  keys(): IterableIterator<string>;
  /** @throws RangeError when there is no index of that name */
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
