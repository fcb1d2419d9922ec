import { ApiError, type Clock, isAlreadyExists, isNotFound } from "@operator-path/client";
import { retryAfterOf } from "../backoff.ts";
import { describe } from "../describe.ts";

/** One Event to create or update. */
export interface EventWrite {
  /** Names the Event in the log: "Failed about web". */
  readonly what: string;
  create(): Promise<unknown>;
  /** Used instead of `create`, unless the server no longer has the Event: Events expire after an hour. */
  patch?(): Promise<unknown>;
}

export interface EventQueue {
  push(write: EventWrite): void;
  flush(signal?: AbortSignal): Promise<void>;
}

/** client-go: maxQueuedEvents. */
const maxQueued = 1_000;
/** client-go: maxTriesPerEvent, defaultSleepDuration. */
const maxAttempts = 12;
const retryPause = 10_000;
/** Limits during a flush. */
const flushAttempts = 3;
const flushPause = 500;
const flushTimeout = 10_000;

/** Returns a queue that writes Events one at a time, in order, and retries failures that may be temporary. */
export function createEventQueue(options: {
  clock: Clock;
  random: () => number;
  /** Must not throw. */
  log(line: string): void;
}): EventQueue {
  const { clock, random, log } = options;
  const waiting: Entry[] = [];
  let isWorking = false;
  let flushes = 0;
  let wake = new AbortController();

  const drop = (write: EventWrite, why: string) => log(`event ${write.what} was dropped: ${why}`);

  async function send(write: EventWrite, attempt: number): Promise<void> {
    if (write.patch) {
      try {
        await write.patch();
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    try {
      await write.create();
    } catch (error) {
      // An earlier attempt succeeded, but its answer was lost.
      if (isAlreadyExists(error) && attempt > 1 && !write.patch) return;
      throw error;
    }
  }

  async function persist(entry: Entry): Promise<void> {
    const { write } = entry;
    let attemptsLeft = maxAttempts;
    for (let attempt = 1; waiting[0] === entry; attempt++) {
      try {
        await send(write, attempt);
        return;
      } catch (error) {
        if (waiting[0] !== entry) return;
        if (flushes > 0) attemptsLeft = Math.min(attemptsLeft, flushAttempts);
        attemptsLeft--;
        if (!isRetryable(error, write) || attemptsLeft === 0) {
          drop(write, describe(error));
          return;
        }
        // The first pause is random: all processes lost the same server at the same moment.
        const pause = flushes > 0 ? flushPause : retryPause * (attempt === 1 ? random() : 1);
        const retryAfter = flushes === 0 ? retryAfterOf(error) : 0;
        await clock.sleep(Math.max(pause, retryAfter), wake.signal).catch(() => {});
      }
    }
  }

  async function work(): Promise<void> {
    isWorking = true;
    for (let entry = waiting[0]; entry; entry = waiting[0]) {
      await persist(entry);
      if (waiting[0] === entry) waiting.shift();
      entry.settled.resolve();
    }
    isWorking = false;
  }

  /** Ends the current pause, so that the next attempt starts now. */
  function wakeUp(): void {
    wake.abort();
    wake = new AbortController();
  }

  function giveUp(last: Entry): void {
    const dropped = waiting.splice(0, waiting.indexOf(last) + 1);
    const [first] = dropped;
    if (!first) return;
    const others = dropped.length - 1;
    drop(first.write, `it was not written in time${others > 0 ? ` (and ${others} more)` : ""}`);
    for (const { settled } of dropped) settled.resolve();
    wakeUp();
  }

  return {
    push(write) {
      if (waiting.length >= maxQueued) {
        drop(write, `${waiting.length} Events are already queued`);
        return;
      }
      waiting.push({ write, settled: Promise.withResolvers<void>() });
      if (!isWorking) void work();
    },
    async flush(signal) {
      const last = waiting.at(-1);
      if (!last) return;
      const timeUp = Promise.withResolvers<void>();
      const onAbort = () => timeUp.resolve();
      if (signal?.aborted) onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      const timer = clock.setTimeout(onAbort, flushTimeout);
      flushes++;
      wakeUp();
      await Promise.race([last.settled.promise, timeUp.promise]);
      giveUp(last);
      flushes--;
      clock.clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

interface Entry {
  write: EventWrite;
  /** Resolves when the Event was written or dropped. */
  settled: PromiseWithResolvers<void>;
}

/** Returns whether a retry may succeed. It cannot if the server would give the same answer again. */
function isRetryable(error: unknown, write: EventWrite): boolean {
  // The client rejected the request before sending it, for example because of an invalid name.
  if (error instanceof TypeError) return false;
  if (!(error instanceof ApiError)) return true;
  // Another client created the Event between the patch and the creation. The next patch will succeed.
  if (isAlreadyExists(error)) return write.patch !== undefined;
  return error.code === 429 || error.code >= 500;
}
