import { createClientOn } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { createLeaderElector } from "../leader-elector.ts";
import { createLeaseServer, type Delivery } from "./lease-server.ts";
import { createSkewedClock } from "./skewed-clock.ts";

export type Fault =
  | {
      what: "blocked" | "asleep" | "cut off" | "deaf" | "slow" | "refused";
      who: number;
      at: number;
      for: number;
    }
  /** The wall clock is set. */
  | { what: "clock set"; who: number; at: number; by: number }
  /** The process is stopped, as by SIGTERM. It is back after a second. */
  | { what: "stopped"; who: number; at: number };

export interface ElectionHistory {
  seed: number;
  candidates: { rate: number; offset: number; ending: number }[];
  faults: Fault[];
}

/** Milliseconds of true time: the faults last for `faultPeriod`, then all is well for `quietPeriod`. */
const faultPeriod = 120_000;
const quietPeriod = 90_000;

/**
 * Runs candidates through a history on one server. Returns the problems: moments at which two candidates
 * acted, and whether exactly one leads once the faults are over.
 */
export async function runElection({ seed, candidates, faults }: ElectionHistory) {
  const clock = createFakeClock();
  const begun = clock.now();
  const random = generator(seed);
  const shuffle = <T>(items: T[]) =>
    items
      .map((item) => ({ item, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  const server = createLeaseServer();
  const problems: string[] = [];
  const everSlept = new Set<number>();
  let acts = 0;
  let isOver = false;

  const all = candidates.map(({ rate, offset, ending }, index) => {
    const own = createSkewedClock(clock, { rate, offset, shuffle });
    const client = createClientOn(
      server.transport({
        delivery: () => delivery(state.network, random),
        delay: (milliseconds, callback) => clock.setTimeout(callback, milliseconds),
        deliver: own.deliver,
      }),
    );
    const newElector = (identity: string) =>
      createLeaderElector(client, {
        lease: { namespace: "shop", name: "web" },
        identity,
        clock: own,
        random,
        log: () => {},
      });
    const state = {
      network: "fair" as Fault["what"] | "fair",
      run: new AbortController(),
      signal: undefined as AbortSignal | undefined,
      elector: newElector(`${index}`),
    };

    async function work(signal: AbortSignal): Promise<void> {
      state.signal = signal;
      // Some candidates check their signal, some ask the elector.
      for (let turn = 0; turn % 2 ? state.elector.isLeader() : !signal.aborted; turn++) {
        acts++;
        checkOthers(index);
        await own.sleep(100 + random() * 900, random() < 0.5 ? signal : undefined).catch(() => {});
      }
      if (ending) await own.sleep(ending);
    }

    async function live(): Promise<void> {
      for (let life = 1; !isOver; life++) {
        state.run = new AbortController();
        await state.elector.run(work, state.run.signal).catch(() => {});
        if (!isOver) await own.sleep(1_000);
        // Some come back under their old identity. Others get a new one, like a Pod of a Deployment.
        if (random() < 0.5) state.elector = newElector(`${index}.${life}`);
      }
    }
    return { index, own, state, life: live() };
  });
  type Candidate = (typeof all)[number];

  /** While one candidate acts, no other may be able to act. */
  function checkOthers(actor: number): void {
    for (const other of all) {
      if (other.index !== actor && acting(other)) {
        problems.push(`after ${clock.now() - begun} ms: ${actor} acts while ${other.index} does`);
      }
    }
  }

  /** Also checks blocked processes, as if they read their clock now. */
  function acting({ index, own, state }: Candidate): boolean {
    if (state.elector.isLeader() || state.signal?.aborted === false) return true;
    // This candidate did not ask. Its timers must have ended its term.
    return own.runs() && !everSlept.has(index) && state.signal !== undefined && !isAborted(state.signal);
  }

  for (const event of faults) clock.setTimeout(() => apply(event), event.at);
  await clock.advance(faultPeriod + quietPeriod);
  const leaders = all.filter(({ state }) => state.elector.isLeader());
  if (leaders.length !== 1) problems.push(`${leaders.length} lead in the end`);
  isOver = true;
  for (const { state } of all) state.run.abort();
  await clock.advance(30_000);
  await Promise.all(all.map(({ life }) => life));
  if (clock.pending() > 0) problems.push(`${clock.pending()} timers are left`);
  return { problems, acts };

  function apply(event: Fault): void {
    const candidate = all[event.who % all.length];
    if (!candidate) return;
    const { own, state, index } = candidate;
    if (event.what === "clock set") {
      // If its clock is set back during its sleep, a machine cannot know that it slept.
      if (!own.isAsleep()) own.set(event.by);
    } else if (event.what === "stopped") {
      own.deliver(() => state.run.abort());
    } else if (event.what === "blocked" || event.what === "asleep") {
      if (!own.runs()) return;
      if (event.what === "asleep") {
        // Nor if its clock was set back and the process has not read it since.
        if (!own.knowsWallClock()) return;
        everSlept.add(index);
      }
      own.block(event.what);
      clock.setTimeout(() => own.resume(), event.for);
    } else {
      state.network = event.what;
      clock.setTimeout(() => {
        state.network = "fair";
      }, event.for);
    }
  }
}

function delivery(network: Fault["what"] | "fair", random: () => number): Delivery {
  const quick = () => Math.round(random() * 40);
  const slow = () => Math.round(random() * 9_000);
  switch (network) {
    case "cut off":
      return { request: "lost", answer: "lost" };
    case "deaf":
      return { request: quick(), answer: "lost" };
    case "slow":
      return { request: slow(), answer: slow() };
    case "refused": {
      const refuse = [409, 429, 500, undefined][Math.floor(random() * 4)];
      return { request: quick(), answer: quick(), ...(refuse && { refuse }) };
    }
    default:
      return { request: quick(), answer: quick() };
  }
}

/** Reads the flag itself, without checking the clock. */
function isAborted(signal: AbortSignal): boolean {
  const flag = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted");
  return flag?.get?.call(signal) as boolean;
}

/** mulberry32. */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
