import { ApiError } from "@operator-path/client";

export interface Backoff {
  /** Milliseconds to wait before the next try. */
  next(): number;
  /** There was progress: the next failure is the first again. */
  reset(): void;
}

export interface BackoffOptions {
  /** Milliseconds. Default 800, as in client-go's reflector. */
  initial?: number | undefined;
  /** Milliseconds, never exceeded. Default 30,000. */
  max?: number | undefined;
  random?: (() => number) | undefined;
}

/** Doubles from try to try up to a cap; the second half of each delay is random, so that clients do not come in step. */
export function createBackoff({
  initial = 800,
  max = 30_000,
  random = Math.random,
}: BackoffOptions = {}): Backoff {
  let delay = initial;
  return {
    next() {
      const jittered = delay / 2 + (random() * delay) / 2;
      delay = Math.min(delay * 2, max);
      return jittered;
    },
    reset() {
      delay = initial;
    },
  };
}

/** Milliseconds: a proxy that asks for an hour would leave a controller deaf for as long. */
const longestRetryAfter = 60_000;

/** Milliseconds that the server asks to wait before the next try, at most a minute; 0 where it does not. */
export function retryAfterOf(error: unknown): number {
  return error instanceof ApiError ? Math.min(error.retryAfter ?? 0, longestRetryAfter) : 0;
}
