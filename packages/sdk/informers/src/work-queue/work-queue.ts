import { channel } from "node:diagnostics_channel";
import { type Clock, systemClock } from "@operator-path/client";
import type { MetricsProvider } from "../metrics.ts";
import { createDelays } from "./delays.ts";
import { createQueueMetrics, type MeasuredKey } from "./queue-metrics.ts";
import {
  defaultControllerRateLimiter,
  exponentialFailureRateLimiter,
  type RateLimiter,
} from "./rate-limiter.ts";
import { createReadyKeys, type ReadyKey } from "./ready-keys.ts";

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

/**
 * Returns the delay of an add in milliseconds: `after`, or the earlier of `after` and what the rate limiter allows.
 * With `rateLimited` it asks the limiter, which counts a failure of the key. Call it once per add.
 *
 * @param options `after` of 0 or undefined sets no limit when `rateLimited` is true
 */
export function delayOf<K>(
  key: K,
  { after = 0, rateLimited = false }: Pick<AddOptions, "after" | "rateLimited">,
  rateLimiter: RateLimiter<K>,
): number {
  return rateLimited ? Math.min(after || Number.POSITIVE_INFINITY, rateLimiter.when(key)) : after;
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

/** The differences between client-go and controller-runtime. */
interface QueueRules {
  /**
   * True: a key is in the queue only once. An add ends its delay, a delay has no effect on a queued key, and
   * a key that was added during processing keeps its position from that moment. False: delays are separate
   * from the queue, and such a key is queued when it is done.
   */
  oneEntry: boolean;
  /**
   * True: after `shutDown` the queue hands out nothing. False: it hands out the remaining keys. A drain
   * always does.
   */
  dropRest: boolean;
  /**
   * True: only adds with a wait count as retries. False: all delayed or rate-limited adds count, even with a
   * wait of 0 ms.
   */
  countWaitsOnly: boolean;
}

interface Item<K> extends ReadyKey, MeasuredKey {
  readonly key: K;
  /** "again": the key was added during processing. Priority and order are those of its next turn. */
  state: "ready" | "processing" | "again";
}

/**
 * Implements createWorkQueue and createPriorityQueue. Only waiting is asynchronous; everything else happens
 * in the call.
 */
function createQueue<K>(options: WorkQueueOptions<K>, rules: QueueRules): WorkQueue<K> {
  const { clock = systemClock, name, metrics: provider } = options;
  const { rateLimiter = defaultControllerRateLimiter<K>(clock) } = options;
  const metrics = name && provider ? createQueueMetrics(provider, name, clock) : undefined;
  const opened = channel("operator-path:workqueue:opened");
  const taken = channel("operator-path:workqueue:taken");
  const items = new Map<K, Item<K>>();
  const ready = createReadyKeys<Item<K>>();
  const delays = createDelays<K>(clock, enqueue);
  const getters: ((item: Item<K> | undefined) => void)[] = [];
  const drains: (() => void)[] = [];
  let orders = 0;
  let processing = 0;
  let again = 0;
  let shuttingDown = false;
  let isOpen = false;
  /** The queue hands out nothing more. */
  let closed = false;

  function enqueue(key: K, priority: number, order = orders++): void {
    const item = items.get(key);
    if (!item) {
      const added: Item<K> = {
        key,
        priority,
        order,
        state: "ready",
        addedAt: 0,
        startedAt: 0,
        place: -1,
        level: undefined,
        previous: undefined,
        next: undefined,
      };
      items.set(key, added);
      metrics?.added(added);
      ready.push(added);
      serve();
    } else if (item.state === "processing") {
      item.state = "again";
      item.priority = priority;
      item.order = order;
      again++;
      metrics?.added(item);
    } else if (priority > item.priority) {
      metrics?.raised(item.priority, priority);
      if (item.state === "ready") ready.remove(item);
      item.priority = priority;
      item.order = order;
      if (item.state === "ready") ready.push(item);
    }
  }

  function take(): Item<K> | undefined {
    const item = closed ? undefined : ready.pop();
    if (!item) return undefined;
    item.state = "processing";
    processing++;
    metrics?.handedOut(item);
    options.onTaken?.(item.key);
    if (taken.hasSubscribers) taken.publish({ queue: name ?? "", key: String(item.key) });
    return item;
  }

  function serve(): void {
    while (getters.length > 0) {
      const item = take();
      if (!item && !shuttingDown) return;
      getters.shift()?.(item);
    }
    if (shuttingDown && processing === 0 && (closed || ready.size === 0)) endDrains();
  }

  function endDrains(): void {
    for (const drain of drains.splice(0)) drain();
  }

  function refuse(): void {
    shuttingDown = true;
    delays.clear();
    metrics?.shutDown();
  }

  /**
   * Passes the next item to `use` as soon as there is one. Reads key and priority at once, before they
   * change.
   */
  function next<R>(use: (item: Item<K>) => R): Promise<R | undefined> {
    if (!isOpen && opened.hasSubscribers) opened.publish({ queue: name ?? "" });
    isOpen = true;
    const item = take();
    if (item) return Promise.resolve(use(item));
    if (shuttingDown) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      getters.push((given) => resolve(given && use(given)));
    });
  }

  const queue: WorkQueue<K> = {
    add(key, { after, rateLimited = false, priority = 0 } = {}) {
      const wait = delayOf(key, { after, rateLimited }, rateLimiter);
      if (Number.isNaN(wait) || Number.isNaN(priority)) throw notANumber(key, wait, priority);
      if (shuttingDown) return;
      if (rules.countWaitsOnly ? wait > 0 : rateLimited || after !== undefined) metrics?.retried();
      const entry = rules.oneEntry ? items.get(key) : undefined;
      const inLine = entry !== undefined && entry.state !== "processing";
      if (wait > 0 && !inLine) return delays.add(key, clock.steady() + wait, priority, orders++);
      const delay = rules.oneEntry ? delays.take(key) : undefined;
      if (delay && delay.priority >= priority) enqueue(key, delay.priority, delay.order);
      else enqueue(key, priority);
    },
    addAfter: (key, after, more) => queue.add(key, { priority: more?.priority, after }),
    addRateLimited: (key, more) => queue.add(key, { priority: more?.priority, rateLimited: true }),
    forget: (key) => rateLimiter.forget(key),
    numRequeues: (key) => rateLimiter.numRequeues(key),
    get: () => next((item) => item.key),
    getWithPriority: () => next(({ key, priority }) => ({ key, priority })),
    done(key) {
      const item = items.get(key);
      if (!item || item.state === "ready") return;
      metrics?.done(item);
      processing--;
      if (item.state === "again") {
        again--;
        item.state = "ready";
        if (!rules.oneEntry) item.order = orders++;
        ready.push(item);
      } else items.delete(key);
      serve();
    },
    shutDown() {
      refuse();
      closed ||= rules.dropRest;
      serve();
      endDrains();
    },
    shutDownWithDrain() {
      refuse();
      return new Promise((resolve) => {
        drains.push(resolve);
        serve();
      });
    },
    get shuttingDown() {
      return shuttingDown;
    },
    get length() {
      return ready.size + (rules.oneEntry ? again : 0);
    },
  };
  return queue;
}

function notANumber(key: unknown, wait: number, priority: number): TypeError {
  const what = Number.isNaN(priority) ? `priority ${priority}` : `wait ${wait}`;
  return new TypeError(
    `workqueue: adding ${JSON.stringify(key)}: ${what} is not a number; pass a number, or omit it for 0`,
  );
}
