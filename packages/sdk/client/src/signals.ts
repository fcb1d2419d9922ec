import type { Clock } from "./clock.ts";

/** A time limit for silence. */
export interface Deadline {
  /** Aborts with an Error that has the given message. */
  readonly signal: AbortSignal;
  /** Starts the time limit again. Call it at each sign of life. */
  extend(): void;
  /** Stops the timer. The signal never aborts after this. */
  clear(): void;
}

/**
 * Returns a signal that aborts after a number of milliseconds without a call of `extend`. Call `clear` when
 * you no longer need it.
 */
export function createDeadline(clock: Clock, milliseconds: number, message: string): Deadline {
  const controller = new AbortController();
  const onSilence = () => controller.abort(new Error(message));
  return { signal: controller.signal, ...createSilenceTimer(clock, milliseconds, onSilence) };
}

/**
 * Calls `onSilence` once, after a number of milliseconds without a call of `extend`. `clear` stops the timer.
 */
export function createSilenceTimer(
  clock: Clock,
  milliseconds: number,
  onSilence: () => void,
): Pick<Deadline, "extend" | "clear"> {
  let lastContact = clock.steady();
  let timer = clock.setTimeout(check, milliseconds);
  // Bytes arrive far more often than the deadline passes. So `extend` only records the time, and the timer
  // checks it.
  function check(): void {
    const left = lastContact + milliseconds - clock.steady();
    if (left > 0) timer = clock.setTimeout(check, left);
    else onSilence();
  }
  return {
    extend() {
      lastContact = clock.steady();
    },
    clear: () => clock.clearTimeout(timer),
  };
}

/**
 * Settles as the promise does, or rejects with the signal's reason if the signal aborts first. The work
 * behind the promise continues, and its later result or error is ignored.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

const { aborted, reason } = Object.getOwnPropertyDescriptors(AbortSignal.prototype);

/**
 * Calls `onRead` before each read of a signal (`aborted`, `reason`, `throwIfAborted`), and returns the same
 * signal. `onRead` can abort the signal for a deadline that has passed while the process was blocked and no
 * timer could fire.
 */
export function observeSignal(signal: AbortSignal, onRead: () => void): AbortSignal {
  const observed = (get: (() => unknown) | undefined) => ({
    get() {
      onRead();
      return get?.call(signal);
    },
  });
  return Object.defineProperties(signal, {
    aborted: observed(aborted.get),
    reason: observed(reason.get),
    throwIfAborted: {
      value() {
        onRead();
        AbortSignal.prototype.throwIfAborted.call(signal);
      },
    },
  });
}
