/** Something that remembers a thing it could make again. */
export interface Warm {
  /** It was read since this was last cleared. */
  used: boolean;
  /** Where the hot cache has it; -1 when it has it not. The hot cache's note. */
  place: number;
  /** Forget it. */
  cool(): void;
}

export interface HotCache {
  add(warm: Warm): void;
  /** It is not the cache's any more. What it remembers goes with it: who still has it may yet read it. */
  remove(warm: Warm): void;
}

/**
 * Bounds how many things are remembered: the one that was not read for longest, more or less, is told to forget
 * (second-chance replacement: one mark a read, no list to reorder).
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
