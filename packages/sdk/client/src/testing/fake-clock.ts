import { type Clock, sleepBy } from "../clock.ts";

/** A clock that a test controls. */
export interface FakeClock extends Clock {
  /** Moves the time forward. Runs each due timer in order, and lets promises settle in between. */
  advance(milliseconds: number): Promise<void>;
  /** Returns the number of timers that have not fired. */
  pending(): number;
  /** Moves the wall clock by a number of milliseconds, forward or back. Timers and `steady` do not change. */
  set(milliseconds: number): void;
}

interface Timer {
  at: number;
  order: number;
  callback: () => void;
}

/**
 * Creates a clock that stands still until a test moves it.
 *
 * @param start milliseconds since the epoch. Default: 2026-01-01T00:00:00Z
 */
export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  let offset = 0;
  let order = 0;
  const timers = new Set<Timer>();

  const clock: FakeClock = {
    now: () => now + offset,
    steady: () => now,
    setTimeout(callback, milliseconds) {
      const timer = { at: now + Math.max(0, milliseconds), order: order++, callback };
      timers.add(timer);
      return timer;
    },
    clearTimeout(handle) {
      timers.delete(handle as Timer);
    },
    sleep: (milliseconds, signal) => sleepBy(clock, milliseconds, signal),
    async advance(milliseconds) {
      const end = now + milliseconds;
      await settle();
      for (let timer = next(end); timer; timer = next(end)) {
        timers.delete(timer);
        now = timer.at;
        timer.callback();
        await settle();
      }
      now = end;
    },
    pending: () => timers.size,
    set(milliseconds) {
      offset += milliseconds;
    },
  };
  return clock;

  function next(end: number): Timer | undefined {
    const due = [...timers].filter((timer) => timer.at <= end);
    return due.sort((a, b) => a.at - b.at || a.order - b.order)[0];
  }
}

/** Lets promise chains and immediates run. Only timers are fake. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}
