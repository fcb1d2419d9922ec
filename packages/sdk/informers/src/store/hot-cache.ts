/** Holds a value that it can compute again. */
export interface Warm {
  /** True if the value was read since the flag was last cleared. */
  used: boolean;
  /** Position in the hot cache; -1 if it is not in the cache. Belongs to the hot cache. */
  place: number;
  /** Drops the value. */
  cool(): void;
}

export interface HotCache {
  add(warm: Warm): void;
  /** Removes an item from the cache. The item keeps its value for as long as it lives. */
  remove(warm: Warm): void;
}

/**
 * Returns a cache that bounds how many values are held. When it is full, it evicts the item that was not read
 * for longest, approximately: second-chance replacement sets one flag per read and reorders no list.
 */
export function createHotCache(capacity: number): HotCache {
  const ring: Warm[] = [];
  let hand = 0;

  function put(warm: Warm, place: number): void {
    ring[place] = warm;
    warm.place = place;
  }

  return {
    add(warm) {
      if (ring.length < capacity) {
        put(warm, ring.length);
        return;
      }
      hand %= capacity;
      for (let at = ring[hand] as Warm; at.used; at = ring[hand] as Warm) {
        at.used = false;
        hand = (hand + 1) % capacity;
      }
      const coldest = ring[hand] as Warm;
      coldest.place = -1;
      coldest.cool();
      put(warm, hand);
      hand++;
    },
    remove(warm) {
      const { place } = warm;
      if (place < 0) return;
      warm.place = -1;
      const last = ring.pop() as Warm;
      if (last !== warm) put(last, place);
    },
  };
}
