import type { KubeObject } from "@operator-path/client";
import type { EntryStore } from "./store/entry-store.ts";

export type { IndexFunction } from "./store/indexes.ts";

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
