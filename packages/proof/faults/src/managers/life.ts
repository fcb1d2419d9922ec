import { type Clock, sleepBy, type Transport, type TransportRequest } from "@operator-path/client";

/** At its n-th effect from now on (0: the next one) the process ends: before it is sent, or before its answer is heard. */
export interface CrashPoint {
  after: number;
  when: "before" | "applied";
}

/**
 * One process: what it does has an effect while it lives. When it is killed nothing of it runs any more: no timer fires,
 * no answer arrives, nothing is sent. What was sent before may still be done.
 */
export interface Life {
  readonly isDead: boolean;
  readonly clock: Clock;
  readonly transport: Transport;
  /** What is not in the cluster: `act` changes nothing. Resolves and rejects while the process lives, and never afterwards. */
  look<T>(act: () => Promise<T>): Promise<T>;
  /** What changes something there. */
  effect<T>(act: () => Promise<T>): Promise<T>;
  /** Replaces an earlier one. */
  crashAt(point: CrashPoint): void;
  kill(): void;
  /** The same, by itself: `onDeath` is not called. */
  exit(): void;
}

export function createLife(world: Clock, inner: Transport, onDeath: () => void): Life {
  const gone = new AbortController();
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
    gone.abort(new Error("the process has ended"));
  }

  function kill(): void {
    if (isDead) return;
    exit();
    onDeath();
  }

  /** Whether this effect is the one that the process does not survive. */
  function isLast(when: CrashPoint["when"]): boolean {
    return crash?.after === 0 && crash.when === when;
  }

  /** Resolves and rejects while the process lives, and never afterwards. */
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
        const signal = request.signal ? AbortSignal.any([request.signal, gone.signal]) : gone.signal;
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
 * Whether a request is one of the operator's own. The Lease is renewed all the time (a crash there is one between two
 * effects), and who has lost it says so in an Event.
 */
export function isEffect({ method, path }: TransportRequest): boolean {
  return method !== "GET" && !/\/(leases|events)\b/.test(path);
}

function never<T>(): Promise<T> {
  return new Promise(() => {});
}
