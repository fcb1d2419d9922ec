import { createClientOn } from "@operator-path/client";
import type { FakeClock } from "@operator-path/client/testing";
import { createLeaderElector, type LeaderElectorOptions } from "../leader-elector.ts";
import type { Delivery, LeaseServer } from "./lease-server.ts";

/**
 * Starts a candidate on a fake clock. Its network can be changed, and its work runs until it is asked to
 * stop.
 */
export function startCandidate(
  server: LeaseServer,
  clock: FakeClock,
  identity: string,
  options: Partial<LeaderElectorOptions> & { work?: (signal: AbortSignal) => Promise<void> } = {},
) {
  const { work, ...electorOptions } = options;
  const log: string[] = [];
  const state = {
    network: (): Delivery => ({ request: 0, answer: 0 }),
    signal: undefined as AbortSignal | undefined,
  };
  const stop = new AbortController();
  const client = createClientOn(
    server.transport({
      delivery: () => state.network(),
      delay: (milliseconds, callback) =>
        milliseconds > 0 ? clock.setTimeout(callback, milliseconds) : callback(),
    }),
  );
  const elector = createLeaderElector(client, {
    lease: { namespace: "shop", name: "web" },
    identity,
    clock,
    random: () => 0.5,
    log: (line) => log.push(line),
    ...electorOptions,
  });
  const ended: Promise<unknown> = elector
    .run(async (signal) => {
      state.signal = signal;
      await (work?.(signal) ?? untilAborted(signal));
    }, stop.signal)
    .then(
      () => "ended",
      (error) => error,
    );
  return {
    elector,
    log,
    stop,
    /** Settles as `run` does, with "ended" or with the error. */
    ended,
    /** Sets the behaviour of the network for its requests from now on. */
    network(delivery: () => Delivery): void {
      state.network = delivery;
    },
    cut(): void {
      state.network = () => ({ request: "lost", answer: "lost" });
    },
    mend(): void {
      state.network = () => ({ request: 0, answer: 0 });
    },
    signal: () => state.signal,
    isLeading: () => state.signal !== undefined && !state.signal.aborted,
  };
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
