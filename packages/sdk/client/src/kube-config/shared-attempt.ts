import { abortable } from "../signals.ts";

/**
 * Returns a function that runs an attempt, such as a login, and shares it with all calls that arrive
 * meanwhile. A call whose signal aborts rejects at once. When all calls have aborted, the attempt is aborted.
 * A call after the end of an attempt starts the next one. Attempts never overlap, because two logins would
 * use the same port or write the same cache.
 *
 * @param start receives a signal that aborts when all calls have aborted. Must settle only when nothing of it
 *   runs any more
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
