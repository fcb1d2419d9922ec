/** Time as the server uses it; structurally the Clock of @operator-path/client, so that its fake clock fits. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(handle: never): void;
}

/** Starts a timer. @returns a function that stops it */
export function startTimer(clock: Clock, milliseconds: number, callback: () => void): () => void {
  const handle = clock.setTimeout(callback, milliseconds);
  return () => clock.clearTimeout(handle as never);
}

/** RFC 3339 with whole seconds, as meta/v1 Time is written. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, "Z");
}
