import type { Clock } from "@operator-path/client";
import type { MetricsProvider } from "../metrics.ts";
import { createQueue } from "./queue.ts";
import { exponentialFailureRateLimiter, type RateLimiter } from "./rate-limiter.ts";

export interface AddOptions {
  /** Adds it so many milliseconds from now. Default 0. */
  after?: number | undefined;
  /** Adds it when the rate limiter says so: after a failure. With `after` as well the earlier counts. */
  rateLimited?: boolean | undefined;
  /** Higher comes first. Any number; default 0. */
  priority?: number | undefined;
}

/**
 * Keys to work on (client-go: workqueue, TypedRateLimitingInterface; controller-runtime: PriorityQueue). Keys are
 * compared as a Map compares: use strings. `undefined` is no key.
 *
 * - Stingy: a key added several times before it is taken is handed out once, with the highest priority asked for.
 * - Fair: of one priority, keys are handed out in the order in which they were first added. A key whose priority is
 *   raised goes to the end of its new line. Nothing protects a low priority from waiting for ever behind a high one.
 * - One worker a key: a key that is being worked on is not handed out again until `done`; if it was added meanwhile,
 *   it is then handed out once more, with the highest priority asked for meanwhile.
 */
export interface WorkQueue<K> {
  /** Ignored once the queue is shut down. */
  add(key: K, options?: AddOptions): void;
  /** Adds it so many milliseconds from now. Of several waits for one key the earliest counts. */
  addAfter(key: K, milliseconds: number, options?: Pick<AddOptions, "priority">): void;
  /** Adds it when the rate limiter says so: after a failure. */
  addRateLimited(key: K, options?: Pick<AddOptions, "priority">): void;
  /** Ends the back-off of a key: after a success. Does not take it out of the queue. */
  forget(key: K): void;
  /** Failures in a row. */
  numRequeues(key: K): number;
  /** Waits for a key; undefined once the queue is shut down and empty. Call `done` for each. */
  get(): Promise<K | undefined>;
  /** The same, with the priority that brought it here. */
  getWithPriority(): Promise<{ key: K; priority: number } | undefined>;
  /** Of a key that is not being worked on: nothing happens. */
  done(key: K): void;
  /** Refuses new keys and drops delayed ones, hands out those that are left, and ends a drain that goes on. */
  shutDown(): void;
  /**
   * The same, and resolves when everything that was left is done. For ever, if nobody takes it: `shutDown` ends the
   * wait (a second SIGTERM). client-go's returns as soon as nothing is being worked on, which its documentation does
   * not say; this one does what is written there.
   */
  shutDownWithDrain(): Promise<void>;
  readonly shuttingDown: boolean;
  /** Keys that could be handed out now. */
  readonly length: number;
}

export interface WorkQueueOptions<K> {
  clock?: Clock | undefined;
  /** Default: per-key back-off from 5 ms to 1,000 s, and 10 a second over all keys with bursts of 100. */
  rateLimiter?: RateLimiter<K> | undefined;
  /** The label `name` of its metrics. Without one there are none. */
  name?: string | undefined;
  /** Where its metrics go: those of `workQueueMetrics`. */
  metrics?: MetricsProvider | undefined;
  /** Told of each key in the moment in which it is handed out: before anything is added that belongs to its next time. */
  onTaken?: ((key: K) => void) | undefined;
}

/** client-go's queue, with priorities. Delayed adds are beside the queue: an add in the meantime does not end them. */
export function createWorkQueue<K>(options: WorkQueueOptions<K> = {}): WorkQueue<K> {
  return createQueue(options, { oneEntry: false, dropRest: false, countWaitsOnly: false });
}

/**
 * controller-runtime's priorityqueue. It differs from `createWorkQueue` in this:
 * - A key is in it once: an add ends its delay, and a delay asked for while the key is in line only raises its priority.
 * - A key that was added while it was worked on keeps the place in line it had then, and counts in `length`.
 * - `shutDown` drops what is left; `shutDownWithDrain` hands it out (controller-runtime's drops it too).
 * - `workqueue_retries_total` counts only adds that have to wait.
 * - The default rate limiter is the per-key back-off alone.
 */
export function createPriorityQueue<K>(options: WorkQueueOptions<K> = {}): WorkQueue<K> {
  const { rateLimiter = exponentialFailureRateLimiter<K>() } = options;
  return createQueue({ ...options, rateLimiter }, { oneEntry: true, dropRest: true, countWaitsOnly: true });
}
