import type { Clock } from "@operator-path/client";

/** Decides how long a key waits before the next attempt (client-go: TypedRateLimiter). */
export interface RateLimiter<K> {
  /** Returns milliseconds; Infinity means never. Each call counts as a failure of the key. */
  when(key: K): number;
  /** Clears the failures of a key. Call it when the key has succeeded, or is given up. */
  forget(key: K): void;
  /** Returns the failures since the last `forget`. */
  numRequeues(key: K): number;
}

/** Counts failures by key. `wait` converts the number of previous failures to milliseconds. */
function perKeyRateLimiter<K>(wait: (failures: number) => number): RateLimiter<K> {
  const failures = new Map<K, number>();
  return {
    when(key) {
      const count = failures.get(key) ?? 0;
      failures.set(key, count + 1);
      return wait(count);
    },
    forget: (key) => void failures.delete(key),
    numRequeues: (key) => failures.get(key) ?? 0,
  };
}

/**
 * Doubles the wait per failure of a key, from `base` (default 5 ms) to `max` (default 1,000 s) (client-go:
 * TypedItemExponentialFailureRateLimiter).
 */
export function exponentialFailureRateLimiter<K>({ base = 5, max = 1_000_000 } = {}): RateLimiter<K> {
  // Above an exponent of 1023 the power is infinite, and a base of 0 times infinity is NaN.
  return perKeyRateLimiter((failures) => Math.min(base * 2 ** Math.min(failures, 1023), max));
}

/**
 * Waits `fast` ms for the first `maxFastAttempts` failures of a key, then `slow` ms (client-go:
 * TypedItemFastSlowRateLimiter).
 */
export function fastSlowRateLimiter<K>(options: {
  fast: number;
  slow: number;
  maxFastAttempts: number;
}): RateLimiter<K> {
  const { fast, slow, maxFastAttempts } = options;
  return perKeyRateLimiter((failures) => (failures < maxFastAttempts ? fast : slow));
}

/**
 * Limits all keys together with a token bucket (client-go: TypedBucketRateLimiter). It refills at `qps` per
 * second (default 10) and holds `burst` tokens (default 100). Waits equal those of Reserve in
 * golang.org/x/time/rate: each call takes a token, if necessary a future one. With a `burst` of 0 the wait is
 * infinite; with an infinite `qps` it is 0.
 */
export function bucketRateLimiter<K>(clock: Clock, { qps = 10, burst = 100 } = {}): RateLimiter<K> {
  let tokens = burst;
  let at = clock.steady();

  function reserve(): number {
    if (qps === Number.POSITIVE_INFINITY) return 0;
    if (burst < 1) return Number.POSITIVE_INFINITY;
    const now = clock.steady();
    // If the clock went back, as Go's clock may in tests, no tokens are earned or lost.
    const earned = (Math.max(0, now - at) / 1000) * Math.max(0, qps);
    tokens = Math.min(burst, tokens + earned) - 1;
    at = now;
    if (tokens >= 0) return 0;
    return qps > 0 ? (-tokens / qps) * 1000 : Number.POSITIVE_INFINITY;
  }

  return { when: reserve, forget() {}, numRequeues: () => 0 };
}

/**
 * Returns the longest wait of several limiters. Calls each of them every time (client-go:
 * TypedMaxOfRateLimiter).
 */
export function maxOfRateLimiter<K>(...limiters: RateLimiter<K>[]): RateLimiter<K> {
  return {
    when: (key) => Math.max(0, ...limiters.map((limiter) => limiter.when(key))),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key);
    },
    numRequeues: (key) => Math.max(0, ...limiters.map((limiter) => limiter.numRequeues(key))),
  };
}

/** Limits the wait of another limiter to `max` ms (client-go: TypedWithMaxWaitRateLimiter). */
export function withMaxWaitRateLimiter<K>(limiter: RateLimiter<K>, max: number): RateLimiter<K> {
  return {
    when: (key) => Math.min(limiter.when(key), max),
    forget: (key) => limiter.forget(key),
    numRequeues: (key) => limiter.numRequeues(key),
  };
}

/** Combines a back-off per key and a bucket for all keys (client-go: DefaultTypedControllerRateLimiter). */
export function defaultControllerRateLimiter<K>(clock: Clock): RateLimiter<K> {
  return maxOfRateLimiter(exponentialFailureRateLimiter<K>(), bucketRateLimiter<K>(clock));
}
