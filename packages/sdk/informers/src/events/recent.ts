import type { Clock } from "@operator-path/client";

/** Remembers at most `limit` keys, each for `within` milliseconds after it was last set. */
export interface Recent<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
}

export function createRecent<V>(
  clock: Clock,
  { limit, within }: { limit: number; within: number },
): Recent<V> {
  /** In the order of the last `set`: the first entry is the oldest. */
  const entries = new Map<string, { value: V; at: number }>();
  const isOld = (at: number) => clock.steady() - at > within;
  return {
    get(key) {
      const entry = entries.get(key);
      return entry && !isOld(entry.at) ? entry.value : undefined;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, { value, at: clock.steady() });
      for (const [oldest, { at }] of entries) {
        if (entries.size <= limit && !isOld(at)) return;
        entries.delete(oldest);
      }
    },
  };
}
