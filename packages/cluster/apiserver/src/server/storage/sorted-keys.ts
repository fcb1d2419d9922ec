/** Keys in byte order, as in etcd. Names are ASCII, so comparing UTF-16 code units gives that order. */
export interface SortedKeys {
  readonly size: number;
  add(key: string): void;
  delete(key: string): void;
  /**
   * Yields the keys with the prefix, beginning at the first one ≥ `from`, which must not be before the
   * prefix. The set must not change during the iteration.
   */
  range(prefix: string, from?: string): Iterable<string>;
}

export function createSortedKeys(): SortedKeys {
  const keys: string[] = [];

  /** Returns the index of the first key that is not less than `key`. */
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
      // Controllers and tests often create keys in order. Then the place is the end, without a search.
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
