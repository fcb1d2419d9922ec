import { ApiError, type Clock, isAlreadyExists, isNotFound } from "@operator-path/client";
import { retryAfterOf } from "../backoff.ts";
import { describe } from "../describe.ts";

/** One Event to be made or changed. */
export interface EventWrite {
  /** For the log: "Failed about web". */
  readonly what: string;
  create(): Promise<unknown>;
  /** Rather than `create`, unless the server has no such Event: they live for an hour only. */
  patch?(): Promise<unknown>;
}

export interface EventQueue {
  push(write: EventWrite): void;
  flush(signal?: AbortSignal): Promise<void>;
}

/** client-go: maxQueuedEvents. */
const longestQueue = 1_000;
/** client-go: maxTriesPerEvent, defaultSleepDuration. */
const mostTries = 12;
const pauseBetween = 10_000;
/** While somebody waits for the end. */
const triesInHaste = 3;
const pauseInHaste = 500;
const patience = 10_000;

/** Writes Events one after the other, in order, and tries again what may succeed. */
export function createEventQueue(options: {
  clock: Clock;
  random: () => number;
  /** Does not throw. */
  log(line: string): void;
}): EventQueue {
  const { clock, random, log } = options;
  const waiting: Entry[] = [];
  let isWorking = false;
  let hasty = 0;
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
      // The answer to an earlier try was lost on the way.
      if (isAlreadyExists(error) && attempt > 1 && !write.patch) return;
      throw error;
    }
  }

  async function persist(entry: Entry): Promise<void> {
    const { write } = entry;
    let triesLeft = mostTries;
    for (let attempt = 1; waiting[0] === entry; attempt++) {
      try {
        await send(write, attempt);
        return;
      } catch (error) {
        if (waiting[0] !== entry) return;
        if (hasty > 0) triesLeft = Math.min(triesLeft, triesInHaste);
        triesLeft--;
        if (!mayPass(error, write) || triesLeft === 0) {
          drop(write, describe(error));
          return;
        }
        // The first pause differs from process to process: they have all lost the same server.
        const pause = hasty > 0 ? pauseInHaste : pauseBetween * (attempt === 1 ? random() : 1);
        const retryAfter = hasty === 0 ? retryAfterOf(error) : 0;
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

  /** Whoever sleeps before the next try tries now. */
  function hurry(): void {
    wake.abort();
    wake = new AbortController();
  }

  function giveUp(last: Entry): void {
    const dropped = waiting.splice(0, waiting.indexOf(last) + 1);
    const [first] = dropped;
    if (!first) return;
    const others = dropped.length - 1;
    drop(first.write, `it was not written in time${others > 0 ? `, nor were ${others} others` : ""}`);
    for (const { settled } of dropped) settled.resolve();
    hurry();
  }

  return {
    push(write) {
      if (waiting.length >= longestQueue) {
        drop(write, `${waiting.length} others wait to be written`);
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
      const timer = clock.setTimeout(onAbort, patience);
      hasty++;
      hurry();
      await Promise.race([last.settled.promise, timeUp.promise]);
      giveUp(last);
      hasty--;
      clock.clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

interface Entry {
  write: EventWrite;
  /** Written, or dropped. */
  settled: PromiseWithResolvers<void>;
}

/** Anything but a server's answer that will be the same next time. */
function mayPass(error: unknown, write: EventWrite): boolean {
  // It was refused before it was sent: a name that is none, say.
  if (error instanceof TypeError) return false;
  if (!(error instanceof ApiError)) return true;
  // Somebody has made it between the patch and the creation: the patch will do.
  if (isAlreadyExists(error)) return write.patch !== undefined;
  return error.code === 429 || error.code >= 500;
}
