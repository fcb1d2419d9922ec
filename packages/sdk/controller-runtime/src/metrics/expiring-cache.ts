import type { Clock } from "@operator-path/client";

/** Answers that are remembered for a time, and not more of them than there is room for. */
export interface ExpiringCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T, milliseconds: number): void;
  readonly size: number;
}

/** What was asked for longest ago goes first when it is full. */
export function createExpiringCache<T>(clock: Clock, capacity: number): ExpiringCache<T> {
  const entries = new Map<string, { value: T; expiresAt: number }>();
  return {
    get size() {
      return entries.size;
    },
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      if (entry.expiresAt <= clock.steady()) return undefined;
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, milliseconds) {
      entries.delete(key);
      entries.set(key, { value, expiresAt: clock.steady() + milliseconds });
      for (const oldest of entries.keys()) {
        if (entries.size <= capacity) break;
        entries.delete(oldest);
      }
    },
  };
}
