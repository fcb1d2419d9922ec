/**
 * Exponential back-off by key, as client-go's util/flowcontrol Backoff. The kubelet uses it for container
 * restarts and image pulls. A key starts over when it has had no failure for twice the maximum.
 *
 * Times are those of the steady clock, because setting the wall clock back would lengthen a wait.
 */
export interface BackOff {
  /** Returns the remaining back-off in ms, counted from `since`. Returns 0 if it has passed. */
  remaining(key: string, since: number, now: number): number;
  /** Returns the current delay in ms, or 0 for an unknown key. */
  delay(key: string): number;
  /** Records a failure at the given time and doubles the delay. */
  next(key: string, at: number): void;
  /** Returns the time of the last failure, or 0 for an unknown key. */
  lastUpdate(key: string): number;
  forget(key: string): void;
}

/**
 * The defaults are the kubelet's.
 * @param initialMs the first delay. Default 10 s
 * @param maxMs the longest delay. Default 300 s
 */
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
      // Keeps the entries in the order of their last failure, so that expired ones are at the front. Most
      // keys belong to deleted Pods.
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

/** Returns a duration as Go prints it, in whole seconds: `10s`, `1m20s`, `5m0s`. */
export function goDuration(ms: number): string {
  const total = Math.round(ms / 1000);
  const minutes = Math.floor(total / 60);
  return minutes > 0 ? `${minutes}m${total % 60}s` : `${total}s`;
}
