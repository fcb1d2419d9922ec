import { type Clock, observeSignal } from "@operator-path/client";

/** The reason of a reconcile's signal after `reconciliationTimeout`. */
export class ReconcileTimeoutError extends Error {
  override readonly name = "ReconcileTimeoutError";
}

export interface ReconcileSignal {
  readonly signal: AbortSignal;
  /** Returns whether the timeout aborted it. */
  timedOut(): boolean;
  /** Aborts the signal for any other reason. */
  abort(reason: unknown): void;
  /** Call it when the reconcile has ended. Removes the timer and the listener. */
  release(): void;
}

/**
 * Creates a signal that aborts with the controller's signal or after the timeout. Like a leader's signal, it
 * checks the clock each time it is read. So a process that was blocked past the deadline sees the abort
 * before any timer runs.
 */
export function createReconcileSignal(
  parent: AbortSignal,
  clock: Clock,
  timeout: number | undefined,
): ReconcileSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const deadline = timeout === undefined ? Number.POSITIVE_INFINITY : clock.steady() + timeout;
  let released = false;

  function look(): void {
    if (released) return;
    if (parent.aborted) onAbort();
    else if (clock.steady() >= deadline) onTimeout();
  }
  function onAbort(): void {
    controller.abort(parent.reason);
  }
  function onTimeout(): void {
    controller.abort(new ReconcileTimeoutError(`the reconcile took longer than ${timeout} ms`));
  }

  const timer = timeout === undefined ? undefined : clock.setTimeout(onTimeout, timeout);
  if (parent.aborted) onAbort();
  else parent.addEventListener("abort", onAbort, { once: true });
  observeSignal(signal, look);
  return {
    signal,
    abort: (why) => controller.abort(why),
    timedOut: () => signal.reason instanceof ReconcileTimeoutError,
    release() {
      look();
      released = true;
      parent.removeEventListener("abort", onAbort);
      if (timer !== undefined) clock.clearTimeout(timer);
    },
  };
}

/**
 * Creates the same signal when it is first read: most reconciles take a few requests and never read it. A
 * signal with a timeout is created at once.
 */
export function createLazySignal(
  parent: AbortSignal,
  clock: Clock,
  timeout: number | undefined,
): Omit<ReconcileSignal, "abort"> {
  let released = false;
  let made = timeout === undefined ? undefined : createReconcileSignal(parent, clock, timeout);
  return {
    get signal() {
      if (!made) {
        made = createReconcileSignal(parent, clock, undefined);
        if (released) made.release();
      }
      return made.signal;
    },
    timedOut: () => made?.timedOut() ?? false,
    release() {
      released = true;
      made?.release();
    },
  };
}
