import { type Clock, sleepBy, type Transport } from "@operator-path/client";
import type { FakeClock } from "@operator-path/client/testing";
import type { Random } from "./random.ts";

export interface ProcessOptions {
  /** The speed of its clocks: 1 is right. */
  rate: number;
  /** The error of its wall clock in milliseconds. */
  offset: number;
  random: Random;
}

/** A simulated process: its clocks may be wrong, and its event loop may be blocked. */
export interface Process {
  readonly clock: Clock;
  readonly blocked: boolean;
  block(): void;
  /** Runs everything that fell due meanwhile, in any order. */
  resume(): void;
  /**
   * The same, but runs everything that follows from one callback before the next, as an event loop does. The
   * fake clock must not advance meanwhile.
   */
  wake(): Promise<void>;
  /** Moves its wall clock forward or back by so many milliseconds. */
  jump(milliseconds: number): void;
  /** Delivers an answer from outside while the process runs. */
  arrive<T>(answer: Promise<T>): Promise<T>;
  /** Returns the same transport, whose answers arrive through `arrive`. */
  through(transport: Transport): Transport;
}

export function createProcess(world: FakeClock, { rate, offset, random }: ProcessOptions): Process {
  const begun = world.now();
  let blocked = false;
  let ahead = offset;
  let due: (() => void)[] = [];

  const deliver = (callback: () => void) => {
    if (blocked) due.push(callback);
    else callback();
  };
  const steady = () => (world.now() - begun) * rate;

  const clock: Clock = {
    now: () => Math.floor(begun + ahead + steady()),
    steady,
    setTimeout(callback, milliseconds) {
      const timer = { cleared: false, handle: undefined as unknown };
      const fire = () => {
        if (!timer.cleared) callback();
      };
      timer.handle = world.setTimeout(() => deliver(fire), atLeastATick(milliseconds / rate));
      return timer;
    },
    clearTimeout(handle) {
      const timer = handle as { cleared: boolean; handle: unknown } | undefined;
      if (!timer) return;
      timer.cleared = true;
      world.clearTimeout(timer.handle);
    },
    sleep: (milliseconds, signal) => sleepBy(clock, milliseconds, signal),
  };

  async function arrive<T>(answer: Promise<T>): Promise<T> {
    const settled = answer.then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    const open = await settled;
    await new Promise<void>((resolve) => deliver(resolve));
    return open();
  }

  return {
    clock,
    get blocked() {
      return blocked;
    },
    block() {
      blocked = true;
    },
    resume() {
      blocked = false;
      const callbacks = due;
      due = [];
      while (callbacks.length > 0) callbacks.splice(random.int(0, callbacks.length), 1)[0]?.();
    },
    async wake() {
      while (due.length > 0) {
        due.splice(random.int(0, due.length), 1)[0]?.();
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      blocked = false;
    },
    jump(milliseconds) {
      ahead += milliseconds;
    },
    arrive,
    through: (transport) => ({
      ...transport,
      request: (request) => arrive(transport.request(request)),
      stream: (request) => arrive(transport.stream(request)),
    }),
  };
}

/**
 * A shorter wait would not change a number of milliseconds since 1970, so the timer would fire in an endless
 * loop.
 */
function atLeastATick(milliseconds: number): number {
  return milliseconds > 0 ? Math.max(milliseconds, 0.01) : milliseconds;
}

/**
 * Replaces `performance.now` until the returned function is called. Informers yield to the event loop after
 * some milliseconds of work: on a busy machine, the real time would change the history.
 */
export function freezePerformanceNow(now: () => number): () => void {
  const { performance } = globalThis;
  const own = Object.getOwnPropertyDescriptor(performance, "now");
  Object.defineProperty(performance, "now", { value: now, configurable: true, writable: true });
  return () => {
    if (own) Object.defineProperty(performance, "now", own);
    else Reflect.deleteProperty(performance, "now");
  };
}
