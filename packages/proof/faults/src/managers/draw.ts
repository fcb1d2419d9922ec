import { createRandom, type Random } from "../random.ts";
import type { Fault, Target } from "../transport/fault.ts";
import { type History, names, type Scenario, type Step } from "./steps.ts";

/** Draws a history. The same seed draws the same one. */
export function drawHistory(seed: number): History {
  const random = createRandom(`manager ${seed}`);
  const scenario = drawScenario(random.fork("scenario"));
  const draw = random.fork("steps");
  const first = names.map((_, site): Step => ({ do: "put", site, size: draw.int(0, 4) }));
  const steps = Array.from({ length: draw.int(15, 40) }, () => drawSteps(draw)).flat();
  return { seed, scenario, steps: [...first.slice(0, draw.int(1, names.length)), ...steps] };
}

export function drawScenario(random: Random): Scenario {
  const leaderElection = random.chance(0.25);
  return {
    workers: random.int(1, 5),
    patches: random.chance(0.5),
    priorityQueue: random.chance(0.75),
    leaderElection,
    warmup: random.chance(0.25),
    children: random.pick(["owns", "owns", "watches", "mapped"]),
    predicates: random.chance(0.5),
    store: random.pick(["parsed", "lazy"]),
    namespaces: random.pick(["all", "each"]),
    heedsSignal: random.chance(0.7),
    timeout: random.pick([undefined, undefined, 2_000]),
    // A Lease is renewed every two seconds: histories with one are short.
    period: leaderElection ? 30_000 : random.pick([30_000, 120_000, 600_000]),
    watchList: random.pick(["offered", "offered", "refused", "ignored"]),
    replicas: random.pick([1, 1, 2]),
    collectAfter: random.pick([0, 200, 3_000]),
  };
}

function drawSteps(random: Random): Step[] {
  const site = random.int(0, names.length);
  const replica = random.int(0, 2);
  const wait = (): Step => ({ do: "wait", ms: random.pick([1, 5, 20, 100, 500, 2_000, 8_000]) });
  const down = random.pick([0, 10, 500, 3_000]);
  const point = { after: random.int(0, 10), when: random.pick(["before", "applied"] as const) };
  const put = (): Step => ({ do: "put", site, size: random.pick([0, 1, 1, 2, 3, 5, -1]) });
  return random.weighted<() => Step[]>([
    [10, () => [wait()]],
    [6, () => [put()]],
    [2, () => [put(), wait(), put()]],
    [3, () => [{ do: "delete", site }]],
    [2, () => [{ do: "delete", site }, wait(), put()]],
    [1, () => [{ do: "label", site }]],
    [1, () => [{ do: "nonsense", site }]],
    [1, () => [{ do: "hold", site }]],
    [1, () => [{ do: "hold", site }, wait(), { do: "delete", site }, wait(), { do: "release", site }]],
    [1, () => [{ do: "release", site }]],
    [2, () => [{ do: "annotate child", site }]],
    [2, () => [{ do: "drift child", site, replicas: random.int(0, 9) }]],
    [2, () => [{ do: "delete child", site }]],
    [1, () => [{ do: "take name", site, controller: random.chance(0.5) }]],
    [1, () => [{ do: "free name", site }]],
    [2, () => [{ do: "drift record", site, size: random.pick([undefined, 77]) }]],
    [6, () => [drawFault(random)]],
    [1, () => [{ do: "break streams", how: random.pick(["reset", "close"]) }]],
    [2, () => [{ do: "lag", replica }, put(), wait(), { do: "catch up", replica }]],
    // A process that starts at a replica which has not received the deletion of a site.
    [
      3,
      () => [
        { do: "lag", replica },
        { do: "delete", site },
        { do: "wait", ms: 2_000 },
        { do: "kill", down: 10 },
        { do: "wait", ms: 2_000 },
      ],
    ],
    [1, () => [{ do: "catch up", replica }]],
    [1, () => [{ do: "compact" }]],
    [1, () => [{ do: "outside fails", times: random.int(1, 4), when: random.pick(["before", "after"]) }]],
    [1, () => [{ do: "outside is late", ms: random.pick([0, 50, 1_500]) }]],
    [5, () => [{ do: "crash", point, down }, put(), wait()]],
    [3, () => [{ do: "crash", point, down }, { do: "delete", site }, wait()]],
    [2, () => [{ do: "kill", down }, wait()]],
    [2, () => [{ do: "restart", down }, wait()]],
    [2, () => [{ do: "poke", site }]],
  ])();
}

function drawFault(random: Random): Step {
  const status: Fault = { kind: "status", code: random.pick([409, 429, 500, 503, 504]) };
  const committed = random.chance(0.5);
  const how = random.pick(["reset", "close"] as const);
  const [target, fault] = random.weighted<[Target, Fault]>([
    [4, ["write", status]],
    [4, ["write", { kind: "reset", committed }]],
    [3, ["write", { kind: "late", before: random.int(0, 3_000), after: random.int(0, 3_000) }]],
    [1, ["write", { kind: "silent", committed }]],
    [1, ["write", { kind: "html", code: 502 }]],
    [2, ["any", { kind: "refused" }]],
    [1, ["any", status]],
    [2, ["watch", { kind: "cut", afterLines: random.int(0, 3), share: 0.5, how }]],
    [1, ["watch", { kind: "cut", afterLines: random.int(0, 3), share: 0.5, how: "silence" }]],
    [1, ["watch", { kind: "twice", lines: random.int(1, 3) }]],
    [1, ["watch", { kind: "old", lines: random.int(1, 3) }]],
    [1, ["watch", { kind: "error event", afterLines: random.int(0, 3), code: 410 }]],
    [1, ["list", { kind: "half", share: 0.5, how: "close" }]],
  ]);
  return { do: "fault", target, fault, times: random.int(1, 4) };
}
