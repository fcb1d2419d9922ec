import { type Clock, systemClock, type TimerHandle } from "@operator-path/client";
import { defaultControllerRateLimiter, type RateLimiter } from "./rate-limiter.ts";

/**
 * Keys to work on (client-go: workqueue, TypedRateLimitingInterface). Keys are compared as a Map compares: use strings.
 *
 * - Stingy: a key added several times before it is taken is handed out once.
 * - Fair: keys are handed out in the order in which they were first added.
 * - One worker a key: a key that is being worked on is not handed out again until `done`; if it was added meanwhile,
 *   it is then handed out once more.
 */
export interface WorkQueue<K> {
  add(key: K): void;
  /** Adds it so many milliseconds from now. Of several waits for one key the earliest counts. */
  addAfter(key: K, milliseconds: number): void;
  /** Adds it when the rate limiter says so: after a failure. */
  addRateLimited(key: K): void;
  /** Ends the back-off of a key: after a success. Does not take it out of the queue. */
  forget(key: K): void;
  /** Failures in a row. */
  numRequeues(key: K): number;
  /** Waits for a key; undefined once the queue is shut down and empty. Call `done` for each. */
  get(): Promise<K | undefined>;
  done(key: K): void;
  /** Refuses new keys, and hands out those that are left. */
  shutDown(): void;
  /** The same, and resolves when all that were handed out are done. */
  shutDownWithDrain(): Promise<void>;
  readonly shuttingDown: boolean;
  /** Keys that could be handed out now. */
  readonly length: number;
}

export interface WorkQueueOptions<K> {
  clock?: Clock;
  /** Default: per-key back-off from 5 ms to 1,000 s, and 10 a second over all keys with bursts of 100. */
  rateLimiter?: RateLimiter<K>;
}

export function createWorkQueue<K>(options: WorkQueueOptions<K> = {}): WorkQueue<K> {
  const { clock = systemClock } = options;
  const { rateLimiter = defaultControllerRateLimiter<K>(clock) } = options;
  /** In order, to be handed out. */
  const ready = new Set<K>();
  /** Handed out, not done. */
  const processing = new Set<K>();
  /** Added while it was processed. */
  const again = new Set<K>();
  const delayed = new Map<K, { at: number; timer: TimerHandle }>();
  const getters: ((key: K | undefined) => void)[] = [];
  const drains: (() => void)[] = [];
  let shuttingDown = false;

  function enqueue(key: K): void {
    if (processing.has(key)) {
      again.add(key);
      return;
    }
    ready.add(key);
    serve();
  }

  function serve(): void {
    while (getters.length > 0 && ready.size > 0) {
      const [key] = ready as Iterable<K>;
      ready.delete(key as K);
      processing.add(key as K);
      getters.shift()?.(key);
    }
    if (!shuttingDown || ready.size > 0) return;
    for (const getter of getters.splice(0)) getter(undefined);
    if (processing.size === 0) for (const drain of drains.splice(0)) drain();
  }

  const queue: WorkQueue<K> = {
    add(key) {
      if (!shuttingDown) enqueue(key);
    },
    addAfter(key, milliseconds) {
      if (shuttingDown) return;
      if (milliseconds <= 0) return enqueue(key);
      const at = clock.now() + milliseconds;
      const earlier = delayed.get(key);
      if (earlier && earlier.at <= at) return;
      if (earlier) clock.clearTimeout(earlier.timer);
      const timer = clock.setTimeout(() => {
        delayed.delete(key);
        queue.add(key);
      }, milliseconds);
      delayed.set(key, { at, timer });
    },
    addRateLimited: (key) => queue.addAfter(key, rateLimiter.when(key)),
    forget: (key) => rateLimiter.forget(key),
    numRequeues: (key) => rateLimiter.numRequeues(key),
    get() {
      return new Promise((resolve) => {
        getters.push(resolve);
        serve();
      });
    },
    done(key) {
      processing.delete(key);
      // What was added before the shutdown is still handed out after it.
      if (again.delete(key)) ready.add(key);
      serve();
    },
    shutDown() {
      shuttingDown = true;
      for (const { timer } of delayed.values()) clock.clearTimeout(timer);
      delayed.clear();
      serve();
    },
    async shutDownWithDrain() {
      const drained = new Promise<void>((resolve) => drains.push(resolve));
      queue.shutDown();
      await drained;
    },
    get shuttingDown() {
      return shuttingDown;
    },
    get length() {
      return ready.size;
    },
  };
  return queue;
}
