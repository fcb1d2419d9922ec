import type { Clock } from "./clock.ts";

export interface Deadline {
  /** Aborts with an Error of the given message. */
  readonly signal: AbortSignal;
  /** There was a sign of life: the time begins anew. */
  extend(): void;
  clear(): void;
}

/** A signal that aborts after so many milliseconds without `extend`. `clear` it when it is over. */
export function createDeadline(clock: Clock, milliseconds: number, message: string): Deadline {
  const controller = new AbortController();
  let heard = clock.steady();
  let timer = clock.setTimeout(check, milliseconds);
  // Bytes arrive far more often than the deadline passes: they only note the time, and the timer looks at the note.
  function check(): void {
    const left = heard + milliseconds - clock.steady();
    if (left > 0) timer = clock.setTimeout(check, left);
    else controller.abort(new Error(message));
  }
  return {
    signal: controller.signal,
    extend() {
      heard = clock.steady();
    },
    clear: () => clock.clearTimeout(timer),
  };
}

/**
 * Waits for a promise no longer than until a signal aborts; then rejects with the signal's reason. What the promise
 * stands for goes on, and what becomes of it is not looked at.
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
 * The same signal, which calls `look` whenever somebody looks at it (`aborted`, `reason`, `throwIfAborted`): time to abort
 * it for what no timer has told of yet, since the process was held up.
 */
export function watchful(signal: AbortSignal, look: () => void): AbortSignal {
  const watched = (get: (() => unknown) | undefined) => ({
    get() {
      look();
      return get?.call(signal);
    },
  });
  return Object.defineProperties(signal, {
    aborted: watched(aborted.get),
    reason: watched(reason.get),
    throwIfAborted: {
      value() {
        look();
        AbortSignal.prototype.throwIfAborted.call(signal);
      },
    },
  });
}
