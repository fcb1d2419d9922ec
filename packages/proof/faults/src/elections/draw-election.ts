import { createRandom, type Random } from "../random.ts";
import type { Fault } from "../transport/fault.ts";

/** The candidate that acted last. */
export const theLeader = -1;

/** A step that concerns one candidate (`who` may be `theLeader`), or its network. */
export type ElectionStep =
  | { do: "wait"; ms: number }
  | { do: "fault"; who: number; fault: Fault; times: number }
  /** Blocks its event loop. */
  | { do: "block"; who: number }
  | { do: "resume"; who: number }
  /** SIGTERM, and a new process after a second. */
  | { do: "restart"; who: number }
  /** Another client writes a label of the Lease. */
  | { do: "touch" };

export interface Election {
  seed: number;
  candidates: { rate: number; offset: number }[];
  steps: ElectionStep[];
}

export function drawElection(seed: number): Election {
  const random = createRandom(`election ${seed}`);
  const candidates = Array.from({ length: random.int(2, 5) }, () => ({
    // The Lease duration is 1.5 times the renew deadline: clocks differ in speed by less than that.
    rate: random.pick([0.85, 1, 1.2, 0.85 + random.next() * 0.35]),
    offset: random.pick([0, 0, -3_600_000, 86_400_000]),
  }));
  const steps = Array.from({ length: random.int(10, 40) }, () => drawSteps(random, candidates.length)).flat();
  return { seed, candidates, steps };
}

function drawSteps(random: Random, candidates: number): ElectionStep[] {
  const who = random.chance(0.5) ? theLeader : random.int(0, candidates);
  const wait = (): ElectionStep => ({ do: "wait", ms: random.pick([10, 500, 2_000, 5_000, 11_000, 20_000]) });
  const fault = (times: number): ElectionStep => ({ do: "fault", who, fault: drawFault(random), times });
  return random.weighted<() => ElectionStep[]>([
    [10, () => [wait()]],
    [8, () => [fault(random.pick([1, 2, 4]))]],
    // Long enough for another candidate to take the Lease.
    [3, () => [fault(40), wait(), { do: "wait", ms: 20_000 }]],
    // The last successful renewal takes long, and then every request is silent.
    [
      3,
      () => [
        { do: "fault", who, fault: { kind: "late", before: 0, after: random.int(2_000, 5_500) }, times: 1 },
        { do: "fault", who, fault: { kind: "silent", committed: false }, times: 40 },
        { do: "wait", ms: 25_000 },
      ],
    ],
    [3, () => [{ do: "block", who }, wait(), wait(), { do: "resume", who }]],
    [2, () => [{ do: "block", who }]],
    [2, () => [{ do: "resume", who }]],
    [3, () => [{ do: "restart", who }, wait()]],
    [2, () => [{ do: "touch" }]],
  ])();
}

function drawFault(random: Random): Fault {
  const committed = random.chance(0.6);
  return random.weighted<Fault>([
    [3, { kind: "reset", committed }],
    [3, { kind: "silent", committed }],
    [3, { kind: "late", before: random.int(0, 12_000), after: random.int(0, 12_000) }],
    [2, { kind: "refused" }],
    [2, { kind: "status", code: 409 }],
    [2, { kind: "status", code: random.pick([500, 503, 504]) }],
    [1, { kind: "status", code: 429, retryAfter: random.pick([1, 20]) }],
    [1, { kind: "html", code: random.pick([200, 502]) }],
  ]);
}
