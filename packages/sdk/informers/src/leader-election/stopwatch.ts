import type { Clock } from "@operator-path/client";

/** A moment in the time of one process. */
export interface Instant {
  readonly steady: number;
  /** Total milliseconds that the machine slept before this moment. */
  readonly slept: number;
}

/**
 * Measures time and errs on the safe side.
 *
 * The steady clock is never set, but on Linux it stops while the machine sleeps. The wall clock keeps
 * running, but can be set. So if the wall clock gets ahead of the steady clock, the stopwatch assumes that
 * the machine slept.
 */
export interface Stopwatch {
  now(): Instant;
  /** Returns milliseconds including sleep: an upper bound, for time limits. */
  atMostSince(instant: Instant): number;
  /** Returns milliseconds by the steady clock: a lower bound, for minimum waits. */
  atLeastSince(instant: Instant): number;
}

/** Clocks have a granularity, and wall clocks are slewed. A smaller difference is not a sleep. */
const tolerance = 100;

export function createStopwatch(clock: Clock): Stopwatch {
  let last = { wall: clock.now(), steady: clock.steady() };
  let slept = 0;

  function now(): Instant {
    const current = { wall: clock.now(), steady: clock.steady() };
    const ahead = current.wall - last.wall - (current.steady - last.steady);
    if (ahead > tolerance) slept += ahead;
    last = current;
    return { steady: current.steady, slept };
  }

  return {
    now,
    atMostSince(instant) {
      const current = now();
      return current.steady - instant.steady + (current.slept - instant.slept);
    },
    atLeastSince: (instant) => now().steady - instant.steady,
  };
}
