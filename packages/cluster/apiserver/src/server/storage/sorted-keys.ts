/** Keys in byte order, as etcd keeps them. Names are ASCII, so comparing UTF-16 code units is byte order. */
export interface SortedKeys {
  readonly size: number;
  add(key: string): void;
  delete(key: string): void;
  /** Keys that start with the prefix, from the first one ≥ `from` (which is not before the prefix) on. The set must not change while it is walked. */
  range(prefix: string, from?: string): Iterable<string>;
}

export function createSortedKeys(): SortedKeys {
  const keys: string[] = [];

  /** Index of the first key that is not less than `key`. */
  function lowerBound(key: string): number {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    get size() {
      return keys.length;
    },
    add(key) {
      // Controllers and tests often create in order: the end is then the place, without a search.
      const last = keys.at(-1);
      if (last === undefined || last < key) {
        keys.push(key);
        return;
      }
      const index = lowerBound(key);
      if (keys[index] !== key) keys.splice(index, 0, key);
    },
    delete(key) {
      const index = lowerBound(key);
      if (keys[index] === key) keys.splice(index, 1);
    },
    *range(prefix, from = prefix) {
      for (let index = lowerBound(from); index < keys.length; index++) {
        const key = keys[index] as string;
        if (!key.startsWith(prefix)) return;
        yield key;
      }
    },
  };
}
