import type { Clock } from "@operator-path/client";

/** How long a key waits before it is tried again (client-go: TypedRateLimiter). */
export interface RateLimiter<K> {
  /** Milliseconds; Infinity is never. Each call counts as a failure of the key. */
  when(key: K): number;
  /** The key has succeeded, or is given up: its failures are forgotten. */
  forget(key: K): void;
  /** Failures since the last `forget`. */
  numRequeues(key: K): number;
}

/** Counts failures by key; `wait` makes milliseconds of how often it failed before. */
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
 * Doubles per failure of a key, from `base` (default 5 ms) to `max` (default 1,000 s), however often it fails
 * (client-go: TypedItemExponentialFailureRateLimiter).
 */
export function exponentialFailureRateLimiter<K>({ base = 5, max = 1_000_000 } = {}): RateLimiter<K> {
  // Beyond the exponent 1023 the power is infinite, and a base of 0 times that is not a number.
  return perKeyRateLimiter((failures) => Math.min(base * 2 ** Math.min(failures, 1023), max));
}

/** Waits `fast` ms for the first `maxFastAttempts` failures of a key, then `slow` ms (client-go: TypedItemFastSlowRateLimiter). */
export function fastSlowRateLimiter<K>(options: {
  fast: number;
  slow: number;
  maxFastAttempts: number;
}): RateLimiter<K> {
  const { fast, slow, maxFastAttempts } = options;
  return perKeyRateLimiter((failures) => (failures < maxFastAttempts ? fast : slow));
}

/**
 * A token bucket over all keys: `qps` (default 10) a second, `burst` (default 100) at once. Waits are those of
 * golang.org/x/time/rate's Reserve: each call takes a token, if need be one that is still to come. Without a `burst`
 * there is never one, with an infinite `qps` always (client-go: TypedBucketRateLimiter).
 */
export function bucketRateLimiter<K>(clock: Clock, { qps = 10, burst = 100 } = {}): RateLimiter<K> {
  let tokens = burst;
  let at = clock.steady();

  function reserve(): number {
    if (qps === Number.POSITIVE_INFINITY) return 0;
    if (burst < 1) return Number.POSITIVE_INFINITY;
    const now = clock.steady();
    // A clock that went back, as Go's may be made to, has earned nothing, and costs nothing.
    const earned = (Math.max(0, now - at) / 1000) * Math.max(0, qps);
    tokens = Math.min(burst, tokens + earned) - 1;
    at = now;
    if (tokens >= 0) return 0;
    return qps > 0 ? (-tokens / qps) * 1000 : Number.POSITIVE_INFINITY;
  }

  return { when: reserve, forget() {}, numRequeues: () => 0 };
}

/** The longest wait of several; each of them is asked every time (client-go: TypedMaxOfRateLimiter). */
export function maxOfRateLimiter<K>(...limiters: RateLimiter<K>[]): RateLimiter<K> {
  return {
    when: (key) => Math.max(0, ...limiters.map((limiter) => limiter.when(key))),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key);
    },
    numRequeues: (key) => Math.max(0, ...limiters.map((limiter) => limiter.numRequeues(key))),
  };
}

/** No wait of another limiter is longer than `max` ms (client-go: TypedWithMaxWaitRateLimiter). */
export function withMaxWaitRateLimiter<K>(limiter: RateLimiter<K>, max: number): RateLimiter<K> {
  return {
    when: (key) => Math.min(limiter.when(key), max),
    forget: (key) => limiter.forget(key),
    numRequeues: (key) => limiter.numRequeues(key),
  };
}

/** Per-key back-off and an overall bucket (client-go: DefaultTypedControllerRateLimiter). */
export function defaultControllerRateLimiter<K>(clock: Clock): RateLimiter<K> {
  return maxOfRateLimiter(exponentialFailureRateLimiter<K>(), bucketRateLimiter<K>(clock));
}
