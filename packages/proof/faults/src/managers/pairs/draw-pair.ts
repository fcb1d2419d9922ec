import { createRandom, type Random } from "../../random.ts";
import type { Fault } from "../../transport/fault.ts";
import { drawScenario } from "../draw.ts";
import type { Change } from "../perform.ts";
import { names, type Scenario } from "../steps.ts";

/** The holder of the Lease. */
export const theLeader = -1;

/** A step that concerns one process (`who` may be `theLeader`), or its network. */
export type PairStep =
  | { do: "wait"; ms: number }
  | { do: "change"; change: Change }
  | { do: "fault"; who: number; fault: Fault; times: number }
  /** Blocks its event loop, as a long computation, SIGSTOP or a sleeping machine does. */
  | { do: "pause"; who: number }
  | { do: "resume"; who: number }
  /** Nothing arrives in either direction until `heal`. */
  | { do: "partition"; who: number }
  | { do: "heal"; who: number }
  /** Sets its wall clock. */
  | { do: "jump"; who: number; ms: number }
  /** SIGKILL or SIGTERM, and a new process after a while. */
  | { do: "kill"; who: number; down: number }
  | { do: "restart"; who: number; down: number };

export interface Pair {
  seed: number;
  scenario: Scenario;
  /** The speed and the error of their clocks. */
  processes: { rate: number; offset: number }[];
  /** Milliseconds of each call outside of the cluster. */
  slow: number;
  /** Milliseconds from the loss of the Lease to the end of the process. */
  dying: number;
  steps: PairStep[];
}

/** Draws a history. The same seed draws the same one. */
export function drawPair(seed: number): Pair {
  const random = createRandom(`pair ${seed}`);
  const scenario: Scenario = {
    ...drawScenario(random.fork("scenario")),
    heedsSignal: random.chance(0.5),
    ...{ leaderElection: true, period: 2_000, timeout: undefined, watchList: "offered" },
  };
  const processes = Array.from({ length: 2 }, () => ({
    // The Lease duration is 1.5 times the renew deadline: clocks differ in speed by less than that.
    rate: random.pick([0.85, 1, 1, 1.2]),
    offset: random.pick([0, 0, -3_600_000, 86_400_000]),
  }));
  const steps = Array.from({ length: random.int(10, 30) }, () => drawSteps(random)).flat();
  const first = names.map((_, site): PairStep => ({ do: "change", change: { do: "put", site, size: 1 } }));
  return {
    ...{ seed, scenario, processes, steps: [...first, { do: "wait", ms: 2_000 }, ...steps] },
    slow: random.pick([0, 300, 2_500]),
    dying: random.pick([0, 1_000, 20_000]),
  };
}

function drawSteps(random: Random): PairStep[] {
  const who = random.chance(0.6) ? theLeader : random.int(0, 2);
  const site = random.int(0, names.length);
  const down = random.pick([10, 3_000, 20_000]);
  const wait = (): PairStep => ({ do: "wait", ms: random.pick([10, 500, 2_000, 5_000, 11_000, 20_000]) });
  const put = (): PairStep => ({ do: "change", change: { do: "put", site, size: random.int(0, 6) } });
  const change = (what: Change): PairStep => ({ do: "change", change: what });
  const soon: PairStep = { do: "wait", ms: random.pick([1, 100, 400, 3_000]) };
  /** Work for the leader that needs no network. */
  const drifts = () =>
    Array.from({ length: 25 }, (_, index) => [
      change({ do: "drift record", site: index % names.length, size: 70 + index }),
      { do: "wait", ms: 900 } satisfies PairStep,
    ]).flat();
  const long: PairStep = { do: "wait", ms: 20_000 };
  return random.weighted<() => PairStep[]>([
    [8, () => [wait()]],
    [4, () => [put(), wait()]],
    [2, () => [change({ do: "delete", site }), wait(), put()]],
    [1, () => [change({ do: "delete child", site })]],
    [1, () => [change({ do: "drift record", site, size: 77 })]],
    [4, () => [{ do: "pause", who }, put(), wait(), long, { do: "resume", who }]],
    // In the middle of a reconcile that has work to do.
    [4, () => [put(), soon, { do: "pause", who: theLeader }, wait(), long, { do: "resume", who }]],
    [
      4,
      () => [
        change({ do: "delete child", site }),
        soon,
        { do: "pause", who: theLeader },
        wait(),
        long,
        { do: "resume", who },
      ],
    ],
    // The last successful renewal takes long, and then every request is silent.
    [
      3,
      () => [
        {
          ...{ do: "fault", who: theLeader, times: 1 },
          fault: { kind: "late", before: 0, after: random.int(2_000, 5_500) },
        },
        { do: "wait", ms: 2_500 },
        { do: "partition", who: theLeader },
        ...drifts(),
        { do: "heal", who },
      ],
    ],
    [2, () => [{ do: "pause", who }, wait(), { do: "resume", who }]],
    [4, () => [{ do: "partition", who }, put(), wait(), long, { do: "heal", who }]],
    [1, () => [{ do: "partition", who }, wait(), { do: "heal", who }]],
    [2, () => [{ do: "jump", who, ms: random.pick([-60_000, 5_000, 30_000, 3_600_000]) }]],
    [3, () => [{ do: "fault", who, fault: drawFault(random), times: random.pick([1, 2, 4]) }]],
    [2, () => [{ do: "kill", who, down }, put(), wait()]],
    [2, () => [{ do: "restart", who, down }, put(), wait()]],
    // A standby takes over that has not received the deletion of a site.
    [
      2,
      () => [
        change({ do: "lag", replica: 0 }),
        change({ do: "delete", site }),
        { do: "wait", ms: 5_000 },
        { do: "kill", who: theLeader, down: 20_000 },
        long,
        change({ do: "catch up", replica: 0 }),
      ],
    ],
  ])();
}

function drawFault(random: Random): Fault {
  const committed = random.chance(0.6);
  return random.weighted<Fault>([
    [3, { kind: "reset", committed }],
    [2, { kind: "silent", committed }],
    [3, { kind: "late", before: random.int(0, 9_000), after: random.int(0, 9_000) }],
    [1, { kind: "refused" }],
    [2, { kind: "status", code: random.pick([409, 500, 503]) }],
  ]);
}
