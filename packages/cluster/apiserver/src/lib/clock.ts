import type { Clock } from "@operator-path/client";

export type { Clock };

/** Starts a timer. @returns a function that stops it */
export function startTimer(clock: Clock, milliseconds: number, callback: () => void): () => void {
  const handle = clock.setTimeout(callback, milliseconds);
  return () => clock.clearTimeout(handle);
}

/** RFC 3339 with whole seconds, as meta/v1 Time is written. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, "Z");
}
