import type { Entry } from "./entry.ts";
import { createIndexes, type IndexFunction } from "./indexes.ts";

/** Stores entries by key and by index. */
export interface EntryStore<T> {
  get(key: string): Entry<T> | undefined;
  /** Returns the entries in no particular order. */
  entries(): MapIterator<Entry<T>>;
  keys(): MapIterator<string>;
  /** @throws RangeError if the index does not exist */
  byIndex(index: string, value: string): Entry<T>[];
  /** @param before the result of `get` for that key; it is replaced and released */
  put(entry: Entry<T>, before: Entry<T> | undefined): void;
  delete(key: string): void;
  /** @throws RangeError if an index of that name exists */
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
