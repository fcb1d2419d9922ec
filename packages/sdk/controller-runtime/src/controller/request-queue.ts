import type { Clock } from "@operator-path/client";
import {
  type AddOptions,
  createPriorityQueue,
  createWorkQueue,
  delayOf,
  type MetricsProvider,
  type RateLimiter,
} from "@operator-path/informers";
import type { ReconcileCause, Trigger } from "../reconcile/reconcile-cause.ts";
import type { Request } from "../reconcile/request.ts";
import type { RequestType } from "../reconcile/request-type.ts";

/** Configures `RequestQueue.add`: delay, priority, rate limit and cause. */
export interface EnqueueOptions extends AddOptions {
  /**
   * The trigger, for the log and `context.cause`. Default: the event for a watch, otherwise `{ trigger:
   * "generic" }`.
   */
  cause?: Trigger | undefined;
}

/** Accepts requests from handlers and sources. Go: workqueue.TypedRateLimitingInterface. */
export interface RequestQueue<R = Request> {
  /** Adds a request. A request that is already waiting is merged with it. */
  add(request: R, options?: EnqueueOptions): void;
}

/** A request that a worker has taken. The worker must call `done`. */
export interface TakenRequest<R> {
  readonly key: string;
  readonly request: R;
  readonly priority: number;
  readonly cause: ReconcileCause;
}

export interface ControllerQueue<R> extends RequestQueue<R> {
  /** Resolves with the next request, or with undefined once the queue is shut down. */
  next(): Promise<TakenRequest<R> | undefined>;
  /** The number of requests that are ready now. */
  readonly length: number;
  done(key: string): void;
  /** Ends the back-off. */
  forget(key: string): void;
  shutDown(): void;
}

export interface RequestQueueOptions<R> {
  name: string;
  requestType: RequestType<R>;
  usePriorityQueue: boolean;
  rateLimiter: RateLimiter<string>;
  clock: Clock;
  metrics: MetricsProvider;
}

interface Pending {
  trigger: Trigger;
  dueAt: number;
  count: number;
}

const unknown: Trigger = { trigger: "generic" };
/**
 * The trigger of a delayed request whose key was already handled for another reason, which client-go's queue
 * keeps.
 */
const leftOver: Omit<Pending, "dueAt"> = { trigger: { trigger: "requeueAfter" }, count: 1 };

/** Creates a controller's queue. It remembers why each request was added. */
export function createRequestQueue<R>(options: RequestQueueOptions<R>): ControllerQueue<R> {
  const { clock, rateLimiter, requestType, usePriorityQueue, ...rest } = options;
  const create = usePriorityQueue ? createPriorityQueue : createWorkQueue;
  const pending = new Map<string, Pending>();
  const taken = new Map<string, Pending>();
  const queue = create<string>({ ...rest, clock, rateLimiter, onTaken: take });

  /** `next` resolves on a later microtask. A trigger noted in between belongs to the next reconcile. */
  function take(key: string): void {
    const why = pending.get(key);
    if (why) taken.set(key, why);
    pending.delete(key);
  }

  function note(key: string, trigger: Trigger, after: number): void {
    const dueAt = clock.steady() + after;
    const known = pending.get(key);
    if (!known) {
      pending.set(key, { trigger, dueAt, count: 1 });
      return;
    }
    known.count++;
    // The earliest trigger is the reason: a change overtakes a back-off.
    if (dueAt < known.dueAt) {
      known.trigger = trigger;
      known.dueAt = dueAt;
    }
  }

  return {
    add(request, { after, rateLimited, priority = 0, cause = unknown } = {}) {
      const key = requestType.keyOf(request);
      // Ask the limiter here instead of in the queue, to know when the request is due.
      const wait = delayOf(key, { after, rateLimited }, rateLimiter);
      if (!queue.shuttingDown && wait !== Number.POSITIVE_INFINITY) note(key, cause, Math.max(0, wait));
      const options = usePriorityQueue ? { priority } : {};
      queue.add(key, wait === 0 ? options : { ...options, after: wait });
    },
    async next() {
      const item = await queue.getWithPriority();
      if (!item) return undefined;
      const { key, priority } = item;
      const why = taken.get(key) ?? { ...leftOver, dueAt: clock.steady() };
      taken.delete(key);
      const cause: ReconcileCause = {
        ...why.trigger,
        count: why.count,
        queuedFor: Math.round(Math.max(0, clock.steady() - why.dueAt)),
        retries: rateLimiter.numRequeues(key),
      };
      return { key, request: requestType.requestOf(key), priority, cause };
    },
    get length() {
      return queue.length;
    },
    done: (key) => queue.done(key),
    forget: (key) => rateLimiter.forget(key),
    shutDown() {
      queue.shutDown();
      pending.clear();
    },
  };
}
