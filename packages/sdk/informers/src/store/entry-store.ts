import { splitKey } from "../keys.ts";
import type { Entry } from "./entry.ts";

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

/** Returns the values under which an object is found, for example the node of a Pod. */
export type IndexFunction<T> = (object: T) => string[];

/** Every store has this index; listers select a namespace with it. It parses no objects. */
export const namespaceIndex = "namespace";

interface Indexes<T> {
  /** Adds an entry in place of the previous one of the same key, if any. */
  put(entry: Entry<T>, before: Entry<T> | undefined): void;
  delete(entry: Entry<T>): void;
  /**
   * Adds index functions and indexes the given entries. @throws RangeError if an index of that name exists
   */
  extend(functions: Record<string, IndexFunction<T>>, entries: Iterable<Entry<T>>): void;
  /** @throws RangeError if the index does not exist */
  keysOf(index: string, value: string): Iterable<string>;
}

/**
 * Returns indexes that find keys by the values of index functions. The entry remembers its values, so each
 * function reads each object once. If a function throws or returns no array, the object is missing from that
 * index, and the error is reported.
 */
function createIndexes<T>(
  functions: Record<string, IndexFunction<T>>,
  onError: (error: unknown) => void,
): Indexes<T> {
  const own = Object.entries(functions).filter(([name]) => name !== namespaceIndex);
  const tables = own.map(() => new Map<string, Set<string>>());
  const namespaces = new Map<string, Set<string>>();
  const reported = new Set<IndexFunction<T>>();

  /** Reports once per function: every further object would produce the same message. */
  function reportNoArray(indexFunction: IndexFunction<T>, values: unknown): void {
    if (reported.has(indexFunction)) return;
    reported.add(indexFunction);
    const name = own.find(([, known]) => known === indexFunction)?.[0];
    const found = values === null ? "null" : typeof values;
    onError(
      new TypeError(
        `the index ${JSON.stringify(name)} returned ${found} instead of an array of strings; return [] for an object without a value (reported once)`,
      ),
    );
  }

  function valuesOf(entry: Entry<T>, indexFunction: IndexFunction<T>): readonly string[] {
    try {
      const values: unknown = indexFunction(entry.object());
      if (Array.isArray(values)) return values;
      reportNoArray(indexFunction, values);
      return [];
    } catch (error) {
      onError(error);
      return [];
    }
  }

  return {
    put(entry, before) {
      if (!before) add(namespaces, splitKey(entry.key).namespace, entry.key);
      if (own.length === 0) return;
      entry.indexed = own.map(([, indexFunction], index) => {
        const values = valuesOf(entry, indexFunction);
        const table = tables[index] as Map<string, Set<string>>;
        const old = before?.indexed?.[index] ?? [];
        if (old.length === values.length && old.every((value, at) => value === values[at])) return old;
        for (const value of old) remove(table, value, entry.key);
        for (const value of values) add(table, value, entry.key);
        return values;
      });
    },
    delete(entry) {
      remove(namespaces, splitKey(entry.key).namespace, entry.key);
      for (const [index, values] of (entry.indexed ?? []).entries()) {
        for (const value of values) remove(tables[index] as Map<string, Set<string>>, value, entry.key);
      }
    },
    extend(more, entries) {
      for (const name of Object.keys(more)) {
        if (name === namespaceIndex || own.some(([known]) => known === name)) {
          throw new RangeError(`the index ${JSON.stringify(name)} already exists`);
        }
      }
      const added = Object.entries(more);
      const addedTables = added.map(() => new Map<string, Set<string>>());
      own.push(...added);
      tables.push(...addedTables);
      for (const entry of entries) {
        const values = added.map(([, indexFunction]) => valuesOf(entry, indexFunction));
        entry.indexed = [...(entry.indexed ?? []), ...values];
        for (const [index, table] of addedTables.entries()) {
          for (const value of values[index] ?? []) add(table, value, entry.key);
        }
      }
    },
    keysOf(name, value) {
      const index = own.findIndex(([known]) => known === name);
      const table = name === namespaceIndex ? namespaces : tables[index];
      if (!table) {
        throw new RangeError(
          `the index ${JSON.stringify(name)} does not exist: add it to the informer's indexers`,
        );
      }
      return table.get(value) ?? [];
    },
  };
}

function add(table: Map<string, Set<string>>, value: string, key: string): void {
  const keys = table.get(value);
  if (keys) keys.add(key);
  else table.set(value, new Set([key]));
}

function remove(table: Map<string, Set<string>>, value: string, key: string): void {
  const keys = table.get(value);
  keys?.delete(key);
  if (keys?.size === 0) table.delete(value);
}
