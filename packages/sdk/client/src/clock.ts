/** The result of `Clock.setTimeout`. Pass it to `Clock.clearTimeout`. */
export type TimerHandle = unknown;

/**
 * Time, as an argument. All packages read the time only from a Clock, so that tests move time instead of
 * waiting (client-go: `k8s.io/utils/clock`).
 */
export interface Clock {
  /**
   * Returns milliseconds since the epoch, from the wall clock. Use it for times that people read. The system
   * may set it forward or back.
   */
  now(): number;
  /**
   * Returns milliseconds since an arbitrary moment (Go: the monotonic reading of time.Time). Use it to
   * measure durations: it never goes back, and setting the wall clock does not change it. On Linux it stops
   * while the machine sleeps, as timers do.
   */
  steady(): number;
  /** Calls `callback` once, after a number of milliseconds. There is no upper limit. */
  setTimeout(callback: () => void, milliseconds: number): TimerHandle;
  /** Cancels a timer. Does nothing if it has fired, or if `handle` is undefined. */
  clearTimeout(handle: TimerHandle): void;
  /** Resolves after a number of milliseconds. Rejects with the signal's reason if the signal aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Node stores a delay in 31 bits. A longer timer would fire at once. */
const maxDelay = 2 ** 31 - 1;

/**
 * Implements `Clock.sleep` with the timers of a clock: resolves after a number of milliseconds, and rejects
 * with the signal's reason if the signal aborts first.
 */
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

/** The clock of this machine, with Node's timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  setTimeout(callback, milliseconds) {
    const timer: { current?: NodeJS.Timeout } = {};
    const wait = (left: number) => {
      timer.current =
        left > maxDelay ? setTimeout(() => wait(left - maxDelay), maxDelay) : setTimeout(callback, left);
    };
    wait(milliseconds);
    return timer;
  },
  clearTimeout: (handle) => clearTimeout((handle as { current?: NodeJS.Timeout } | undefined)?.current),
  sleep: (milliseconds, signal) => sleepBy(systemClock, milliseconds, signal),
};
