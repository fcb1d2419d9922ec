import { abortable } from "../signals.ts";

/**
 * One attempt for all who ask while it is under way: it may be a person who logs in. Whoever gives up waits no longer, and
 * when nobody waits any more the attempt itself is told to end. Who asks after it, has failed or not, starts the next one,
 * once it is over: two that log in would be at the same port, or write the same cache.
 *
 * @param start is given a signal that aborts when nobody waits for it any more; settles when nothing of it is left
 */
export function shareAttempt<T>(start: (signal: AbortSignal) => Promise<T>) {
  let current: { promise: Promise<T>; controller: AbortController; waiting: number } | undefined;
  let previous: Promise<void> | undefined;

  function begin() {
    const controller = new AbortController();
    const started = async () => {
      await previous;
      controller.signal.throwIfAborted();
      return start(controller.signal);
    };
    const attempt = { controller, waiting: 0, promise: started() };
    const over = () => {
      if (current === attempt) current = undefined;
    };
    previous = attempt.promise.then(over, over);
    return attempt;
  }

  return async (signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    current ??= begin();
    const attempt = current;
    attempt.waiting++;
    try {
      return await (signal ? abortable(attempt.promise, signal) : attempt.promise);
    } finally {
      if (--attempt.waiting === 0) {
        if (current === attempt) current = undefined;
        attempt.controller.abort();
      }
    }
  };
}
