import { setTimeout as delay } from "node:timers/promises";

/** What `Clock.setTimeout` hands out, for `Clock.clearTimeout` alone. */
export type TimerHandle = unknown;

/**
 * Time, as an argument: libraries of this house read it from here and nowhere else, so that tests move time
 * instead of waiting for it (client-go: `k8s.io/utils/clock`).
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  setTimeout(callback: () => void, milliseconds: number): TimerHandle;
  clearTimeout(handle: TimerHandle): void;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
  sleep: async (milliseconds, signal) => {
    signal?.throwIfAborted();
    // node's own AbortError hides the reason: say what the caller aborted with.
    await delay(milliseconds, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
  },
};
