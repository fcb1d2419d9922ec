import type { Clock } from "@operator-path/client";
import type { MetricsProvider } from "../metrics.ts";
import { createQueue } from "./queue.ts";
import { exponentialFailureRateLimiter, type RateLimiter } from "./rate-limiter.ts";

export interface AddOptions {
  /** Milliseconds until the key is added. Default 0. */
  after?: number | undefined;
  /**
   * Adds the key when the rate limiter allows it: use this after a failure. Together with `after` the earlier
   * time counts.
   */
  rateLimited?: boolean | undefined;
  /** Higher priorities come first. Any number; default 0. */
  priority?: number | undefined;
}

/**
 * A queue of keys to process (client-go: workqueue, TypedRateLimitingInterface; controller-runtime:
 * PriorityQueue). Keys are compared as in a Map, so use strings. `undefined` is not a valid key.
 *
 * - Deduplication: a key that is added several times before it is taken is handed out once, with its highest
 *   priority.
 * - Order: within a priority, keys are handed out in the order in which they were first added. If the
 *   priority of a key is raised, the key goes to the end of the new priority. High priorities can starve low
 *   ones for ever.
 * - One worker per key: a key is not handed out again until `done`. If it was added meanwhile, it is then
 *   handed out once more, with the highest priority of those adds.
 */
export interface WorkQueue<K> {
  /** Adds a key. Does nothing after the queue has been shut down. */
  add(key: K, options?: AddOptions): void;
  /** Adds a key after a number of milliseconds. If a key has several waits, the earliest counts. */
  addAfter(key: K, milliseconds: number, options?: Pick<AddOptions, "priority">): void;
  /** Adds a key when the rate limiter allows it: use this after a failure. */
  addRateLimited(key: K, options?: Pick<AddOptions, "priority">): void;
  /** Resets the back-off of a key: use this after a success. Does not remove the key from the queue. */
  forget(key: K): void;
  /** Returns the consecutive failures of a key. */
  numRequeues(key: K): number;
  /**
   * Waits for a key. Resolves with undefined once the queue is shut down and empty. Call `done` for each key.
   */
  get(): Promise<K | undefined>;
  /** Does the same, and also returns the key's priority. */
  getWithPriority(): Promise<{ key: K; priority: number } | undefined>;
  /** Marks a key as processed. Does nothing if the key is not being processed. */
  done(key: K): void;
  /** Rejects new keys, drops delayed ones, hands out the remaining ones, and ends a running drain. */
  shutDown(): void;
  /**
   * Does the same, and resolves when all remaining keys are done. If no worker takes them, it waits until
   * `shutDown` is called, for example on a second SIGTERM. client-go's returns as soon as no key is being
   * processed, contrary to its documentation; this one follows the documentation.
   */
  shutDownWithDrain(): Promise<void>;
  readonly shuttingDown: boolean;
  /** Number of keys that could be handed out now. */
  readonly length: number;
}

export interface WorkQueueOptions<K> {
  clock?: Clock | undefined;
  /** Default: a back-off per key from 5 ms to 1,000 s, and 10 per second over all keys with bursts of 100. */
  rateLimiter?: RateLimiter<K> | undefined;
  /** The label `name` of the metrics. Without a name there are no metrics. */
  name?: string | undefined;
  /** Receives `workQueueMetrics`. */
  metrics?: MetricsProvider | undefined;
  /** Called when a key is handed out, before any later add of that key. */
  onTaken?: ((key: K) => void) | undefined;
}

/**
 * Returns client-go's queue with priorities. Delayed adds are separate from the queue: an add does not cancel
 * them.
 */
export function createWorkQueue<K>(options: WorkQueueOptions<K> = {}): WorkQueue<K> {
  return createQueue(options, { oneEntry: false, dropRest: false, countWaitsOnly: false });
}

/**
 * Returns controller-runtime's priorityqueue. It differs from `createWorkQueue` as follows:
 * - A key is in the queue only once. An add cancels its delay. A delayed add of a queued key only raises its
 *   priority.
 * - A key that is added during processing keeps the position from that moment, and counts in `length`.
 * - `shutDown` drops the remaining keys. `shutDownWithDrain` hands them out (controller-runtime's drops them
 *   too).
 * - `workqueue_retries_total` counts only adds that have to wait.
 * - The default rate limiter is the back-off per key alone.
 */
export function createPriorityQueue<K>(options: WorkQueueOptions<K> = {}): WorkQueue<K> {
  const { rateLimiter = exponentialFailureRateLimiter<K>() } = options;
  return createQueue({ ...options, rateLimiter }, { oneEntry: true, dropRest: true, countWaitsOnly: true });
}
