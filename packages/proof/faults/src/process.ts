import { type Clock, sleepBy, type Transport } from "@operator-path/client";
import type { FakeClock } from "@operator-path/client/testing";
import type { Random } from "./random.ts";

export interface ProcessOptions {
  /** How fast its clocks go: 1 is right. */
  rate: number;
  /** How far its wall clock is off, in milliseconds. */
  offset: number;
  random: Random;
}

/** A process of its own: clocks that go wrong, and an event loop that stands still when it is blocked or stopped. */
export interface Process {
  readonly clock: Clock;
  readonly blocked: boolean;
  block(): void;
  /** What fell due meanwhile happens now, in any order. */
  resume(): void;
  /** The same, with all that follows from one thing before the next, as an event loop has it. Time is to stand still. */
  wake(): Promise<void>;
  /** Sets its wall clock forward or back by so many milliseconds. */
  jump(milliseconds: number): void;
  /** An answer from outside, which arrives while the process runs. */
  arrive<T>(answer: Promise<T>): Promise<T>;
  /** The same transport, with such answers. */
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

/** Less than what a number of milliseconds since 1970 can tell apart would be no time at all, again and again. */
function atLeastATick(milliseconds: number): number {
  return milliseconds > 0 ? Math.max(milliseconds, 0.01) : milliseconds;
}

/**
 * Replaces `performance.now` until the returned function is called. Informers give the event loop its turn after some
 * milliseconds of work: on a busy machine, the real time would turn the history into another one.
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
