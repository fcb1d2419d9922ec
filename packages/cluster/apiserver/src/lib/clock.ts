import type { Clock } from "@operator-path/client";

export type { Clock };

/** Starts a timer, and returns a function that stops it. */
export function startTimer(clock: Clock, milliseconds: number, callback: () => void): () => void {
  const handle = clock.setTimeout(callback, milliseconds);
  return () => clock.clearTimeout(handle);
}

/** Formats a time as RFC 3339 in whole seconds, like meta/v1 Time. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, "Z");
}
