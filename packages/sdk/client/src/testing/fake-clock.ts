import { type Clock, sleepBy } from "../clock.ts";

export interface FakeClock extends Clock {
  /** Moves time, running every timer that falls due in order, with promises settled in between. */
  advance(milliseconds: number): Promise<void>;
  /** Timers that have not run yet. */
  pending(): number;
  /** Sets the wall clock forward or back by so many milliseconds. Timers and `steady` do not notice. */
  set(milliseconds: number): void;
}

interface Timer {
  at: number;
  order: number;
  callback: () => void;
}

/** A clock that stands still until a test moves it. Starts at `start`, milliseconds since the epoch. */
export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  let ahead = 0;
  let order = 0;
  const timers = new Set<Timer>();

  const clock: FakeClock = {
    now: () => now + ahead,
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
      ahead += milliseconds;
    },
  };
  return clock;

  function next(end: number): Timer | undefined {
    const due = [...timers].filter((timer) => timer.at <= end);
    return due.sort((a, b) => a.at - b.at || a.order - b.order)[0];
  }
}

/** Lets promise chains and immediates run: timers are fake, everything else is real. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}
