import { type Clock, systemClock } from "@operator-path/client";

/** Configures `eventually`. */
export interface EventuallyOptions {
  /** Milliseconds. Default 10,000. */
  timeout?: number;
  /** Milliseconds between two calls. Default 20. */
  interval?: number;
  clock?: Clock;
  signal?: AbortSignal;
}

/**
 * Calls `look` until it does not throw, and resolves with what it returns. Go: Gomega's Eventually.
 *
 * @throws Error after the timeout, with the last error of `look` as its cause
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  { timeout = 10_000, interval = 20, clock = systemClock, signal }: EventuallyOptions = {},
): Promise<T> {
  const late = Promise.withResolvers<typeof tooLate>();
  const timer = clock.setTimeout(() => late.resolve(tooLate), timeout);
  const giveUpAt = clock.steady() + timeout;
  let failure: { cause: unknown } | undefined;
  const failed = (why: string) => new Error(`not within ${timeout / 1000} s: ${why}`, failure);
  try {
    for (;;) {
      let seen: T | typeof tooLate;
      try {
        seen = await Promise.race([look(), late.promise]);
      } catch (cause) {
        signal?.throwIfAborted();
        failure = { cause };
        if (clock.steady() >= giveUpAt) throw failed(textOf(cause));
        await clock.sleep(interval, signal);
        continue;
      }
      if (seen !== tooLate) return seen;
      throw failed(failure ? textOf(failure.cause) : "the call did not return");
    }
  } finally {
    clock.clearTimeout(timer);
  }
}

const tooLate = Symbol("too late");

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
