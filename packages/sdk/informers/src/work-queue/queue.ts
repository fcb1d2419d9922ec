import { channel } from "node:diagnostics_channel";
import { systemClock } from "@operator-path/client";
import { createDelays } from "./delays.ts";
import { createQueueMetrics, type MeasuredKey } from "./queue-metrics.ts";
import { defaultControllerRateLimiter } from "./rate-limiter.ts";
import { createReadyKeys, type ReadyKey } from "./ready-keys.ts";
import type { WorkQueue, WorkQueueOptions } from "./work-queue.ts";

/** The differences between client-go and controller-runtime. */
export interface QueueRules {
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
export function createQueue<K>(options: WorkQueueOptions<K>, rules: QueueRules): WorkQueue<K> {
  const { clock = systemClock, name, metrics: provider } = options;
  const { rateLimiter = defaultControllerRateLimiter<K>(clock) } = options;
  const metrics = name && provider ? createQueueMetrics(provider, name, clock) : undefined;
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
    const item = take();
    if (item) return Promise.resolve(use(item));
    if (shuttingDown) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      getters.push((given) => resolve(given && use(given)));
    });
  }

  const queue: WorkQueue<K> = {
    add(key, { after, rateLimited = false, priority = 0 } = {}) {
      const limit = rateLimited ? rateLimiter.when(key) : 0;
      const wait = rateLimited ? Math.min(after || Number.POSITIVE_INFINITY, limit) : (after ?? 0);
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
