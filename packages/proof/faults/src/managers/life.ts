import { type Clock, sleepBy, type Transport, type TransportRequest } from "@operator-path/client";

/**
 * The process ends at its n-th effect from now (0: the next one): before it is sent, or before its answer
 * arrives.
 */
export interface CrashPoint {
  after: number;
  when: "before" | "applied";
}

/**
 * One process, which has effects while it lives. After a kill no timer fires, no answer arrives, and nothing
 * is sent. Requests that were sent before may still be carried out.
 */
export interface Life {
  readonly isDead: boolean;
  readonly clock: Clock;
  readonly transport: Transport;
  /** Reads something outside of the cluster; `act` changes nothing. Settles only while the process lives. */
  look<T>(act: () => Promise<T>): Promise<T>;
  /** Changes something outside of the cluster. */
  effect<T>(act: () => Promise<T>): Promise<T>;
  /** Sets the point at which the process ends. Replaces an earlier one. */
  crashAt(point: CrashPoint): void;
  kill(): void;
  /** Ends the process without a call of `onDeath`. */
  exit(): void;
}

export function createLife(world: Clock, inner: Transport, onDeath: () => void): Life {
  const ended = new AbortController();
  const timers = new Set<unknown>();
  let crash: CrashPoint | undefined;
  let isDead = false;

  const clock: Clock = {
    now: world.now,
    steady: world.steady,
    setTimeout(callback, milliseconds) {
      if (isDead) return undefined;
      const handle = world.setTimeout(() => {
        timers.delete(handle);
        callback();
      }, milliseconds);
      timers.add(handle);
      return handle;
    },
    clearTimeout(handle) {
      timers.delete(handle);
      world.clearTimeout(handle);
    },
    sleep: (milliseconds, signal) => sleepBy(clock, milliseconds, signal),
  };

  function exit(): void {
    isDead = true;
    for (const handle of timers) world.clearTimeout(handle);
    timers.clear();
    ended.abort(new Error("the process has ended"));
  }

  function kill(): void {
    if (isDead) return;
    exit();
    onDeath();
  }

  /** Whether the process ends at this effect. */
  function isLast(when: CrashPoint["when"]): boolean {
    return crash?.after === 0 && crash.when === when;
  }

  /** Settles only while the process lives. */
  async function alive<T>(answer: Promise<T>): Promise<T> {
    try {
      const value = await answer;
      if (!isDead) return value;
    } catch (error) {
      if (!isDead) throw error;
    }
    return never();
  }

  async function effect<T>(act: () => Promise<T>): Promise<T> {
    if (!isDead && isLast("before")) kill();
    if (isDead) return never();
    const kills = isLast("applied");
    if (crash) crash = crash.after > 0 ? { ...crash, after: crash.after - 1 } : undefined;
    if (!kills) return alive(act());
    await act().catch(() => {});
    kill();
    return never();
  }

  async function* chunks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const iterator = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await alive(iterator.next());
        if (done) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  return {
    get isDead() {
      return isDead;
    },
    clock,
    transport: {
      request: (request) =>
        isEffect(request)
          ? effect(() => inner.request(request))
          : isDead
            ? never()
            : alive(inner.request(request)),
      async stream(request) {
        if (isDead) return never();
        const signal = request.signal ? AbortSignal.any([request.signal, ended.signal]) : ended.signal;
        const response = await alive(inner.stream({ ...request, signal }));
        return { ...response, body: chunks(response.body) };
      },
      close: async () => {},
    },
    look: (act) => (isDead ? never() : alive(act())),
    effect,
    crashAt(point) {
      crash = point;
    },
    kill,
    exit,
  };
}

/**
 * Whether a request is an effect of the operator. Renewals of the Lease are not: a crash there is one between
 * two effects. Events are not either: they report a lost Lease.
 */
export function isEffect({ method, path }: TransportRequest): boolean {
  return method !== "GET" && !/\/(leases|events)\b/.test(path);
}

function never<T>(): Promise<T> {
  return new Promise(() => {});
}
