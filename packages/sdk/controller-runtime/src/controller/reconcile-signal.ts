import { type Clock, watchful } from "@operator-path/client";

/** The reason of a reconcile's signal when `reconciliationTimeout` has passed. */
export class ReconcileTimeoutError extends Error {
  override readonly name = "ReconcileTimeoutError";
}

export interface ReconcileSignal {
  readonly signal: AbortSignal;
  /** Whether the timeout has aborted it. */
  timedOut(): boolean;
  /** For another reason than those two. */
  abort(reason: unknown): void;
  /** The reconcile has ended: nothing is kept for it any more. */
  release(): void;
}

/**
 * A signal that aborts when the controller's does, or after the timeout. Like that of a leader, it looks at the clock
 * whenever it is looked at: a process that was held up past its deadline is told so although no timer has run since.
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
    controller.abort(new ReconcileTimeoutError(`the reconcile has taken longer than ${timeout} ms`));
  }

  const timer = timeout === undefined ? undefined : clock.setTimeout(onTimeout, timeout);
  if (parent.aborted) onAbort();
  else parent.addEventListener("abort", onAbort, { once: true });
  watchful(signal, look);
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
 * The same, made when somebody looks at it: most reconciles take no longer than a few requests, and never do. One with a
 * timeout is made at once.
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
