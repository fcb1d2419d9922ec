import { type Clock, sleepBy } from "@operator-path/client";

/**
 * The clocks of one process, relative to the true time of a test. They have their own speed. The wall clock
 * can be set. While the process is blocked (a long loop, SIGSTOP), nothing runs in it. While its machine
 * sleeps, its steady clock and its timers stop as well.
 */
export interface SkewedClock extends Clock {
  /** Moves the wall clock forward or back by this many milliseconds. */
  set(milliseconds: number): void;
  block(how: "blocked" | "asleep"): void;
  /**
   * Resumes the process. Callbacks that became due meanwhile run now, in the order that `shuffle` gives them.
   */
  resume(): void;
  runs(): boolean;
  isAsleep(): boolean;
  /** Returns whether the process has read its clocks since its wall clock was last set. */
  knowsWallClock(): boolean;
  /** Runs a callback in the process: at once, or when it resumes. */
  deliver(callback: () => void): void;
}

export function createSkewedClock(
  trueClock: Clock,
  { rate, offset, shuffle }: { rate: number; offset: number; shuffle: <T>(items: T[]) => T[] },
): SkewedClock {
  const started = trueClock.now();
  const ticks = () => (trueClock.now() - started) * rate;
  let ahead = offset;
  let isRead = true;
  let state: "running" | "blocked" | "asleep" = "running";
  let asleepSince = 0;
  let slept = 0;
  let due: (() => void)[] = [];

  const steady = () => (state === "asleep" ? asleepSince : ticks()) - slept;
  const deliver = (callback: () => void) => {
    if (state === "running") callback();
    else due.push(callback);
  };

  const clock: SkewedClock = {
    now() {
      isRead = true;
      return started + ahead + ticks();
    },
    steady,
    set(milliseconds) {
      ahead += milliseconds;
      isRead = false;
    },
    block(how) {
      if (how === "asleep") asleepSince = ticks();
      state = how;
    },
    resume() {
      if (state === "asleep") slept += ticks() - asleepSince;
      state = "running";
      const all = shuffle(due);
      due = [];
      for (const callback of all) callback();
    },
    runs: () => state === "running",
    isAsleep: () => state === "asleep",
    knowsWallClock: () => isRead,
    deliver,
    setTimeout(callback, milliseconds) {
      const at = steady() + milliseconds;
      const timer: { handle?: unknown; cleared?: boolean } = {};
      const run = () => {
        if (timer.cleared) return;
        const left = at - steady();
        // More than a rounding error means that the machine slept.
        if (left > 0.1) wait(left);
        else callback();
      };
      // At least one millisecond, as in Node. A shorter timer would not advance the time at all.
      const wait = (left: number) => {
        timer.handle = trueClock.setTimeout(() => deliver(run), Math.max(1, left / rate));
      };
      wait(milliseconds);
      return timer;
    },
    clearTimeout(handle) {
      const timer = handle as { handle?: unknown; cleared?: boolean } | undefined;
      if (!timer) return;
      timer.cleared = true;
      trueClock.clearTimeout(timer.handle);
    },
    sleep: (milliseconds, signal) => sleepBy(clock, milliseconds, signal),
  };
  return clock;
}
