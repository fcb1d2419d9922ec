import type { Clock } from "@operator-path/client";

/** A moment, as one process counts time. */
export interface Instant {
  readonly steady: number;
  /** Milliseconds that were slept through before it. */
  readonly slept: number;
}

/**
 * How much time has passed, judged to be on the safe side. The steady clock cannot be set, but (on Linux) stands still
 * while the machine sleeps. The wall clock goes on then, but may be set. So a wall clock that is ahead of the steady one
 * since the last look means a sleep, as far as anybody can tell.
 */
export interface Stopwatch {
  now(): Instant;
  /** Milliseconds, sleep included: for what must not go on for too long. */
  atMostSince(instant: Instant): number;
  /** Milliseconds by the steady clock: for what must have lasted. */
  atLeastSince(instant: Instant): number;
}

/** Both clocks have a granularity, and wall clocks are kept right by slewing them: less than this is no sleep. */
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
