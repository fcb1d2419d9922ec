import { describe, guardLog } from "../describe.ts";
import { slice } from "../slice.ts";
import type { WorkQueue } from "./work-queue.ts";

/** What is to be done with a key after it was processed without an error. */
export interface Result {
  /** Process the key again after so many milliseconds. */
  requeueAfter?: number | undefined;
}

export interface WorkerOptions<K> {
  /** Keys processed at the same time, at least 1. Default 1. */
  workers?: number | undefined;
  /**
   * An error puts the key back with back-off, and `onError` is told. Otherwise its back-off ends, and `requeueAfter`
   * (0 counts as none) adds it again. Either keeps the priority that it was handed out with. The signal says that
   * time is up: finish soon.
   */
  process(
    key: K,
    signal: AbortSignal,
  ): Promise<Result | undefined> | Result | undefined | Promise<void> | void;
  /**
   * Default: a line on stderr, with the stack the first time, with the number of the try then. There an error of its own
   * goes too, and that of a rate limiter (the key is then tried again after a second): no failure ends a worker, or
   * loses a key.
   */
  onError?(error: unknown, key: K): unknown;
}

/**
 * Works on a queue until the signal aborts: no new key is begun then, and the promise resolves when those that are
 * being processed are done. What is left in the queue is dropped: the next start lists everything anyway.
 *
 * A long row of keys that are processed without waiting for anything is cut into slices of a few milliseconds, between
 * which timers and sockets get their turn: a Lease is renewed, a watch is read.
 */
export async function runWorkers<K>(
  queue: WorkQueue<K>,
  { workers = 1, process, onError }: WorkerOptions<K>,
  signal: AbortSignal,
): Promise<void> {
  if (!(workers >= 1)) throw new RangeError(`runWorkers: workers is ${workers}; give at least 1`);
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
      tryAgain(key, priority);
      try {
        await (onError ?? tellFailure)(error, key);
      } catch (failure) {
        tellFailure(error, key);
        tell(`${describe(key)}: onError failed: ${describe(failure, "stack")}`);
      }
    }
  }

  function tryAgain(key: K, priority: number): void {
    try {
      queue.addRateLimited(key, { priority });
    } catch (failure) {
      tell(`${describe(key)}: the rate limiter failed: ${describe(failure, "stack")}`);
      queue.addAfter(key, withoutLimiter, { priority });
    }
  }

  function tellFailure(error: unknown, key: K): void {
    const tries = triesOf(key);
    tell(
      tries > 1
        ? `${describe(key)} failed again (try ${tries}): ${describe(error)}`
        : `${describe(key)} failed, and is tried again: ${describe(error, "stack")}`,
    );
  }

  /** As the rate limiter counts them, if it does. */
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

/** Milliseconds until a key is tried again whose rate limiter has failed. */
const withoutLimiter = 1_000;

const tell = guardLog((line) => console.error(line));
