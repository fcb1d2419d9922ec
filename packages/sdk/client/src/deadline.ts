import type { Clock } from "./clock.ts";

export interface Deadline {
  /** Aborts with an Error of the given message. */
  readonly signal: AbortSignal;
  /** There was a sign of life: the time begins anew. */
  extend(): void;
  clear(): void;
}

/** A signal that aborts after so many milliseconds without `extend`. `clear` it when it is over. */
export function createDeadline(clock: Clock, milliseconds: number, message: string): Deadline {
  const controller = new AbortController();
  let heard = clock.steady();
  let timer = clock.setTimeout(check, milliseconds);
  // Bytes arrive far more often than the deadline passes: they only note the time, and the timer looks at the note.
  function check(): void {
    const left = heard + milliseconds - clock.steady();
    if (left > 0) timer = clock.setTimeout(check, left);
    else controller.abort(new Error(message));
  }
  return {
    signal: controller.signal,
    extend() {
      heard = clock.steady();
    },
    clear: () => clock.clearTimeout(timer),
  };
}
