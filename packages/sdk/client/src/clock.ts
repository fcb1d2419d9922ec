/** What `Clock.setTimeout` hands out, for `Clock.clearTimeout` alone. */
export type TimerHandle = unknown;

/**
 * Time, as an argument: libraries of this house read it from here and nowhere else, so that tests move time
 * instead of waiting for it (client-go: `k8s.io/utils/clock`).
 */
export interface Clock {
  /** Milliseconds since the epoch, by the clock on the wall: for what people read. It may be set, forward or back. */
  now(): number;
  /**
   * Milliseconds since some moment, which never go back and which nobody sets: for how long something takes, or is to
   * wait (Go: the monotonic reading of time.Time). On Linux they stand still while the machine sleeps, as timers do.
   */
  steady(): number;
  setTimeout(callback: () => void, milliseconds: number): TimerHandle;
  clearTimeout(handle: TimerHandle): void;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Node's timers hold 31 bits; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** `sleep` of a clock that has timers. */
export function sleepBy(
  timers: Pick<Clock, "setTimeout" | "clearTimeout">,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      timers.clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = timers.setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  setTimeout(callback, milliseconds) {
    const timer: { current?: NodeJS.Timeout } = {};
    const wait = (left: number) => {
      timer.current =
        left > longestTimer
          ? setTimeout(() => wait(left - longestTimer), longestTimer)
          : setTimeout(callback, left);
    };
    wait(milliseconds);
    return timer;
  },
  clearTimeout: (handle) => clearTimeout((handle as { current?: NodeJS.Timeout } | undefined)?.current),
  sleep: (milliseconds, signal) => sleepBy(systemClock, milliseconds, signal),
};
