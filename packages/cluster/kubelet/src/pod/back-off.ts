/**
 * Exponential back-off by key, as client-go's util/flowcontrol Backoff counts it: the kubelet's for container restarts
 * and image pulls. A key that was quiet for twice the maximum starts again at the beginning.
 * Times are those of the steady clock: one that is set back would make a wait longer.
 */
export interface BackOff {
  /** ms to wait from `since` on, or 0 when that has passed. */
  remaining(key: string, since: number, now: number): number;
  /** Current delay in ms, 0 for an unknown key. */
  delay(key: string): number;
  /** Counts one more failure at the time given: the delay doubles. */
  next(key: string, at: number): void;
  /** When the key was last counted; 0 for an unknown key. */
  lastUpdate(key: string): number;
  forget(key: string): void;
}

/** @param initialMs 10 s and @param maxMs 300 s are the kubelet's defaults. */
export function createBackOff(initialMs = 10_000, maxMs = 300_000): BackOff {
  const entries = new Map<string, { delay: number; updated: number }>();
  const expired = (updated: number, at: number) => at - updated > 2 * maxMs;
  return {
    remaining(key, since, now) {
      const entry = entries.get(key);
      if (!entry || expired(entry.updated, since)) return 0;
      return Math.max(0, since + entry.delay - now);
    },
    delay: (key) => entries.get(key)?.delay ?? 0,
    next(key, at) {
      const entry = entries.get(key);
      const delay = !entry || expired(entry.updated, at) ? initialMs : Math.min(entry.delay * 2, maxMs);
      // The oldest first: Pods come and go, and most keys are never asked for again.
      entries.delete(key);
      entries.set(key, { delay, updated: at });
      for (const [oldest, { updated }] of entries) {
        if (!expired(updated, at)) break;
        entries.delete(oldest);
      }
    },
    lastUpdate: (key) => entries.get(key)?.updated ?? 0,
    forget(key) {
      entries.delete(key);
    },
  };
}

/** A duration as Go prints it: `10s`, `1m20s`, `5m0s`. Whole seconds. */
export function goDuration(ms: number): string {
  const total = Math.round(ms / 1000);
  const minutes = Math.floor(total / 60);
  return minutes > 0 ? `${minutes}m${total % 60}s` : `${total}s`;
}
