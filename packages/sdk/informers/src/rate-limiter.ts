import type { Clock } from "@operator-path/client";

/** How long a key waits before it is tried again (client-go: TypedRateLimiter). */
export interface RateLimiter<K> {
  /** Milliseconds. Each call counts as a failure of the key. */
  when(key: K): number;
  /** The key has succeeded, or is given up: its failures are forgotten. */
  forget(key: K): void;
  /** Failures since the last `forget`. */
  numRequeues(key: K): number;
}

/** Doubles per failure of a key, from `base` (default 5 ms) to `max` (default 1,000 s), as in client-go. */
export function exponentialFailureRateLimiter<K>({ base = 5, max = 1_000_000 } = {}): RateLimiter<K> {
  const failures = new Map<K, number>();
  return {
    when(key) {
      const count = failures.get(key) ?? 0;
      failures.set(key, count + 1);
      return Math.min(base * 2 ** count, max);
    },
    forget: (key) => void failures.delete(key),
    numRequeues: (key) => failures.get(key) ?? 0,
  };
}

/** A token bucket over all keys: `qps` (default 10) a second, `burst` (default 100) at once, as in client-go. */
export function bucketRateLimiter<K>(clock: Clock, { qps = 10, burst = 100 } = {}): RateLimiter<K> {
  let tokens = burst;
  let at = clock.now();
  return {
    when() {
      const now = clock.now();
      tokens = Math.min(burst, tokens + ((now - at) / 1000) * qps) - 1;
      at = now;
      return tokens >= 0 ? 0 : (-tokens / qps) * 1000;
    },
    forget() {},
    numRequeues: () => 0,
  };
}

/** The longest wait of several. */
export function maxOfRateLimiter<K>(...limiters: RateLimiter<K>[]): RateLimiter<K> {
  return {
    when: (key) => Math.max(...limiters.map((limiter) => limiter.when(key))),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key);
    },
    numRequeues: (key) => Math.max(...limiters.map((limiter) => limiter.numRequeues(key))),
  };
}

/** Per-key back-off and an overall bucket (client-go: DefaultTypedControllerRateLimiter). */
export function defaultControllerRateLimiter<K>(clock: Clock): RateLimiter<K> {
  return maxOfRateLimiter(exponentialFailureRateLimiter<K>(), bucketRateLimiter<K>(clock));
}
