import type { KubeObject } from "@operator-path/client";
import { keyOf } from "./keys.ts";

/** The values under which an object is found, e.g. the node that a Pod runs on. */
export type IndexFunction<T> = (object: T) => string[];

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

export interface Store<T extends KubeObject> extends Indexer<T> {
  set(object: T): void;
  delete(key: string): void;
}

/** Every store has this index: it is what a lister narrows by. */
export const namespaceIndex = "namespace";

export function createStore<T extends KubeObject>(indexers: Record<string, IndexFunction<T>> = {}): Store<T> {
  const objects = new Map<string, T>();
  const functions: Record<string, IndexFunction<T>> = {
    ...indexers,
    [namespaceIndex]: (object) => [object.metadata?.namespace ?? ""],
  };
  const indexes = new Map<string, Map<string, Set<string>>>(
    Object.keys(functions).map((name) => [name, new Map()]),
  );

  function unindex(key: string, object: T): void {
    for (const [name, index] of indexes) {
      for (const value of functions[name]?.(object) ?? []) {
        const keys = index.get(value);
        keys?.delete(key);
        if (keys?.size === 0) index.delete(value);
      }
    }
  }

  return {
    get: (key) => objects.get(key),
    list: () => [...objects.values()],
    keys: () => objects.keys(),
    byIndex(name, value) {
      const index = indexes.get(name);
      if (!index)
        throw new RangeError(
          `there is no index ${JSON.stringify(name)}: give it to the informer as an indexer`,
        );
      return [...(index.get(value) ?? [])].map((key) => objects.get(key) as T);
    },
    get size() {
      return objects.size;
    },
    set(object) {
      const key = keyOf(object);
      const old = objects.get(key);
      if (old) unindex(key, old);
      objects.set(key, object);
      for (const [name, index] of indexes) {
        for (const value of functions[name]?.(object) ?? []) {
          const keys = index.get(value);
          if (keys) keys.add(key);
          else index.set(value, new Set([key]));
        }
      }
    },
    delete(key) {
      const old = objects.get(key);
      if (!old) return;
      unindex(key, old);
      objects.delete(key);
    },
  };
}
