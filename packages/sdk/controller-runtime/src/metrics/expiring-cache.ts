import type { Clock } from "@operator-path/client";

/** Values that expire, up to a maximum number. */
export interface ExpiringCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T, milliseconds: number): void;
  readonly size: number;
}

/** When full, drops the least recently used entry. */
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
