import { ApiError } from "@operator-path/client";

export interface Backoff {
  /** Returns the milliseconds to wait before the next attempt. */
  next(): number;
  /** Call it after progress: the next failure then counts as the first. */
  reset(): void;
}

export interface BackoffOptions {
  /** First delay in milliseconds. Default 800, as in client-go's reflector. */
  initial?: number | undefined;
  /** Upper bound in milliseconds. Default 30,000. */
  max?: number | undefined;
  random?: (() => number) | undefined;
}

/**
 * Returns a back-off that doubles with each attempt up to `max`. The second half of each delay is random, so
 * that clients do not retry in step.
 */
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

/** Milliseconds. A proxy that asks for an hour must not silence a controller for an hour. */
const longestRetryAfter = 60_000;

/**
 * Returns the milliseconds that the server asks the client to wait, at most one minute. Returns 0 when the
 * error carries no Retry-After.
 */
export function retryAfterOf(error: unknown): number {
  return error instanceof ApiError ? Math.min(error.retryAfter ?? 0, longestRetryAfter) : 0;
}
