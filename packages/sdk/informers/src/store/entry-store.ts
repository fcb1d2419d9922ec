import type { Entry } from "./entry.ts";
import { createIndexes, type IndexFunction } from "./indexes.ts";

/** Entries by key, and by any number of indexes. */
export interface EntryStore<T> {
  get(key: string): Entry<T> | undefined;
  /** In no particular order. */
  entries(): MapIterator<Entry<T>>;
  keys(): MapIterator<string>;
  /** @throws RangeError when there is no index of that name */
  byIndex(index: string, value: string): Entry<T>[];
  /** @param before what `get` has for that key: one that is replaced is released */
  put(entry: Entry<T>, before: Entry<T> | undefined): void;
  delete(key: string): void;
  /** @throws RangeError when there is an index of that name */
  addIndexes(functions: Record<string, IndexFunction<T>>): void;
  readonly size: number;
}

export function createEntryStore<T>(
  indexers: Record<string, IndexFunction<T>>,
  onError: (error: unknown) => void,
): EntryStore<T> {
  const entries = new Map<string, Entry<T>>();
  const indexes = createIndexes(indexers, onError);
  return {
    get: (key) => entries.get(key),
    entries: () => entries.values(),
    keys: () => entries.keys(),
    byIndex: (index, value) => [...indexes.keysOf(index, value)].map((key) => entries.get(key) as Entry<T>),
    put(entry, before) {
      indexes.put(entry, before);
      entries.set(entry.key, entry);
      before?.release();
    },
    delete(key) {
      const entry = entries.get(key);
      if (!entry) return;
      indexes.delete(entry);
      entries.delete(key);
      entry.release();
    },
    addIndexes: (functions) => indexes.extend(functions, entries.values()),
    get size() {
      return entries.size;
    },
  };
}
