import { describe, guardLog } from "../describe.ts";
import { slice } from "../slice.ts";
import type { WorkQueue } from "./work-queue.ts";

/** What to do with a key after it was processed without an error. */
export interface Result {
  /** Processes the key again after this many milliseconds. 0 counts as unset. */
  requeueAfter?: number | undefined;
}

export interface WorkerOptions<K> {
  /** Number of keys processed at the same time. Default 1, at least 1. */
  workers?: number | undefined;
  /**
   * Processes one key. If it throws, the key is requeued with back-off, and `onError` is called. Otherwise
   * the back-off is reset, and a `requeueAfter` requeues the key. A requeued key keeps its priority. When the
   * signal aborts, finish soon.
   */
  process(
    key: K,
    signal: AbortSignal,
  ): Promise<Result | undefined> | Result | undefined | Promise<void> | void;
  /**
   * Called with each error of `process`. Default: a line on stderr, with the stack for the first failure and
   * the number of the attempt for later ones. If `onError` or the rate limiter itself throws, that also goes
   * to stderr. A key whose rate limiter threw is retried after a second. No failure ends a worker or loses a
   * key.
   */
  onError?(error: unknown, key: K): unknown;
}

/**
 * Processes a queue until the signal aborts. Then it starts no new key, and resolves when the running ones
 * are done. Keys left in the queue are dropped, because the next start lists everything anyway.
 *
 * If many keys are processed without an asynchronous wait, the work is cut into slices of a few milliseconds.
 * Timers and sockets run in between, so that a Lease is renewed and a watch is read.
 *
 * @throws RangeError if `workers` is less than 1
 */
export async function runWorkers<K>(
  queue: WorkQueue<K>,
  { workers = 1, process, onError }: WorkerOptions<K>,
  signal: AbortSignal,
): Promise<void> {
  if (!(workers >= 1)) throw new RangeError(`runWorkers: workers is ${workers}; it must be at least 1`);
  const shutDown = () => queue.shutDown();
  if (signal.aborted) shutDown();
  else signal.addEventListener("abort", shutDown, { once: true });

  async function next(): ReturnType<typeof queue.getWithPriority> {
    const isIdle = queue.length === 0;
    const item = await queue.getWithPriority();
    if (isIdle) slice.begin();
    return item;
  }

  async function work(): Promise<void> {
    for (let item = await next(); item; item = await next()) {
      try {
        if (!signal.aborted) await processOne(item.key, item.priority);
      } finally {
        queue.done(item.key);
      }
      if (slice.isOver()) await slice.next();
    }
  }

  async function processOne(key: K, priority: number): Promise<void> {
    try {
      const result = await process(key, signal);
      queue.forget(key);
      if (result?.requeueAfter) queue.addAfter(key, result.requeueAfter, { priority });
    } catch (error) {
      requeue(key, priority);
      try {
        await (onError ?? logFailure)(error, key);
      } catch (failure) {
        logFailure(error, key);
        logLine(`${describe(key)}: onError failed: ${describe(failure, "stack")}`);
      }
    }
  }

  function requeue(key: K, priority: number): void {
    try {
      queue.addRateLimited(key, { priority });
    } catch (failure) {
      logLine(`${describe(key)}: the rate limiter failed: ${describe(failure, "stack")}`);
      queue.addAfter(key, fallbackDelay, { priority });
    }
  }

  function logFailure(error: unknown, key: K): void {
    const tries = triesOf(key);
    logLine(
      tries > 1
        ? `${describe(key)} failed again (attempt ${tries}): ${describe(error)}`
        : `${describe(key)} failed and will be retried: ${describe(error, "stack")}`,
    );
  }

  /** Returns the rate limiter's count, or 0 if the limiter throws. */
  function triesOf(key: K): number {
    try {
      return queue.numRequeues(key);
    } catch {
      return 0;
    }
  }

  try {
    await Promise.all(Array.from({ length: workers }, work));
  } finally {
    signal.removeEventListener("abort", shutDown);
  }
}

/** Milliseconds before the retry of a key whose rate limiter threw. */
const fallbackDelay = 1_000;

const logLine = guardLog((line) => console.error(line));
