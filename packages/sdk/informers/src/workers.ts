import type { WorkQueue } from "./work-queue.ts";

/** What is to be done with a key after it was processed without an error. */
export interface Result {
  /** Process the key again after so many milliseconds. */
  requeueAfter?: number;
}

export interface WorkerOptions<K> {
  /** Keys processed at the same time. Default 1. */
  workers?: number;
  /**
   * An error puts the key back with back-off, and `onError` is told. Otherwise its back-off ends, and `requeueAfter`
   * (0 counts as none) adds it again. The signal says that time is up: finish soon.
   */
  process(key: K, signal: AbortSignal): Promise<Result | undefined> | Result | undefined | Promise<void>;
  /** Default: a line on stderr, where an error of its own goes too: no failure ends a worker, or loses a key. */
  onError?(error: unknown, key: K): void;
}

/**
 * Works on a queue until the signal aborts: no new key is begun then, and the promise resolves when those that are
 * being processed are done. What is left in the queue is dropped: the next start lists everything anyway.
 */
export async function runWorkers<K>(
  queue: WorkQueue<K>,
  { workers = 1, process, onError = report }: WorkerOptions<K>,
  signal: AbortSignal,
): Promise<void> {
  const shutDown = () => queue.shutDown();
  if (signal.aborted) shutDown();
  else signal.addEventListener("abort", shutDown, { once: true });

  async function work(): Promise<void> {
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      try {
        if (!signal.aborted) await processOne(key);
      } finally {
        queue.done(key);
      }
    }
  }

  async function processOne(key: K): Promise<void> {
    try {
      const result = await process(key, signal);
      queue.forget(key);
      if (result?.requeueAfter) queue.addAfter(key, result.requeueAfter);
    } catch (error) {
      queue.addRateLimited(key);
      try {
        onError(error, key);
      } catch (failure) {
        report(error, key);
        report(failure, key);
      }
    }
  }

  await Promise.all(Array.from({ length: workers }, work));
  signal.removeEventListener("abort", shutDown);
}

function report(error: unknown, key: unknown): void {
  console.error(`${key}:`, error);
}
