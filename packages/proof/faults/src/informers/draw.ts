import { createRandom, type Random } from "../random.ts";
import type { Fault, Target } from "../transport/fault.ts";
import type { HandlerKind, History, Scenario, Step } from "./steps.ts";

/** The number of objects in a history. A few, so that each changes often. */
const objects = 8;

const handlerKinds: readonly (readonly [number, HandlerKind])[] = [
  [4, "sync"],
  [2, "slow"],
  [1, "throwing"],
  [1, "rejecting"],
  [2, "changed"],
];

/** Draws a history. The same seed draws the same one. */
export function drawHistory(seed: number): History {
  const random = createRandom(seed);
  const scenario = drawScenario(random.fork("scenario"));
  const draw = random.fork("steps");
  const steps: Step[] = [];
  const prefilled = draw.pick([0, 0, 3, 8]);
  for (let object = 0; object < prefilled; object++) {
    steps.push({ do: "write", op: "put", object, value: draw.int(0, 100) });
  }
  // The very first list and watch may fail, too.
  for (let early = draw.pick([0, 0, 1, 3]); early > 0; early--)
    steps.push({ do: "fault", ...drawFault(draw) });
  for (let left = draw.int(10, 60); left > 0; left--) steps.push(...drawStep(draw, scenario));
  return { seed, scenario, steps };
}

function drawScenario(random: Random): Scenario {
  return {
    custom: random.chance(0.5),
    ...(random.chance(0.3) ? { labelSelector: "tier=hot" } : {}),
    ...(random.chance(0.2) ? { namespace: "shop" } : {}),
    store: random.weighted([
      [4, "parsed"],
      [3, "lazy"],
      [2, "metadata"],
    ]),
    managedFields: random.chance(0.2),
    watchList: random.weighted([
      [3, "offered"],
      [2, "refused"],
      [1, "ignored"],
      [2, "not asked for"],
    ]),
    replicas: random.pick([1, 1, 2, 3]),
    expireTokens: random.chance(0.1),
    pageSize: random.pick([2, 3, 500]),
    pieces: random.pick(["whole", "split", "crumbs", "merged"]),
    nodeStreams: random.chance(0.6),
    ...(random.chance(0.2) ? { resyncMs: random.pick([7_000, 45_000]) } : {}),
    handlers: Array.from({ length: random.pick([1, 1, 2, 3]) }, () => random.weighted(handlerKinds)),
    workers: random.pick([0, 1, 2, 4]),
  };
}

function drawStep(random: Random, { replicas }: Scenario): Step[] {
  const write = (): Step => ({
    do: "write",
    op: random.weighted([
      [8, "put"],
      [2, "status"],
      [3, "delete"],
      [2, "recreate"],
      [2, "label"],
    ]),
    object: random.int(0, objects),
    value: random.int(0, 100),
  });
  const wait = (): Step => ({
    do: "wait",
    ms: random.weighted([
      [6, random.int(0, 50)],
      [4, random.int(50, 3_000)],
      [2, random.int(3_000, 60_000)],
      [1, random.int(60_000, 700_000)],
    ]),
  });
  return random.weighted<() => Step[]>([
    [10, () => [write()]],
    [6, () => Array.from({ length: random.int(2, 8) }, write)],
    [10, () => [wait()]],
    [9, () => [{ do: "fault", ...drawFault(random) }]],
    [
      5,
      () => {
        const how = random.pick(["reset", "close", "silence", "truncate"] as const);
        return [{ do: "break", break: { how, ...(how === "truncate" ? { share: random.next() } : {}) } }];
      },
    ],
    // Makes a reflector list again: it is disconnected while the server writes and compacts.
    [3, () => [{ do: "break", break: { how: "reset" } }, write(), { do: "compact" }, write(), wait()]],
    [2, () => [{ do: "compact" }]],
    [3, () => [{ do: "bookmark" }]],
    [2, () => [{ do: "skip", versions: random.pick([1, 10, 1_000]) }]],
    [replicas > 1 ? 3 : 0, () => [{ do: "lag", replica: random.int(0, replicas) }]],
    [replicas > 1 ? 3 : 0, () => [{ do: "catch up", replica: random.int(0, replicas) }]],
    [2, () => [{ do: "add handler", kind: random.weighted(handlerKinds) }]],
    [3, () => [{ do: "remove handler", index: random.int(0, 3) }]],
  ])();
}

/** Draws a fault for one request, or for several in a row. */
export function drawFault(random: Random): { on: Target; fault: Fault; times?: number } {
  const committed = random.chance(0.5);
  const afterLines = random.pick([0, 0, 1, 2, 4]);
  const [on, fault] = random.weighted<readonly [Target, Fault]>([
    [3, ["any", { kind: "status", code: random.pick([500, 503, 504]) }]],
    [2, ["any", { kind: "status", code: 429, retryAfter: random.pick([1, 5, 40, 120]) }]],
    [1, ["any", { kind: "status", code: 503, retryAfter: random.pick([2, 60]) }]],
    [2, ["write", { kind: "status", code: 409 }]],
    [3, [random.pick(["list", "watch"]), { kind: "status", code: 410 }]],
    [1, ["any", { kind: "status", code: 403 }]],
    [2, ["any", { kind: "too large" }]],
    [2, ["any", { kind: "html", code: random.pick([200, 502, 503]) }]],
    [2, ["any", { kind: "refused" }]],
    [3, ["any", { kind: "reset", committed }]],
    [2, ["any", { kind: "silent", committed }]],
    [3, ["any", { kind: "late", before: random.int(0, 3_000), after: random.int(0, 3_000) }]],
    [2, ["list", { kind: "stale" }]],
    [2, ["list", { kind: "half", share: random.next(), how: random.pick(["reset", "close"]) }]],
    [
      6,
      [
        "watch",
        { kind: "cut", afterLines, share: random.next(), how: random.pick(["reset", "close", "silence"]) },
      ],
    ],
    [4, ["watch", { kind: "brief", ms: random.pick([0, 0, 1, 500]), how: random.pick(["reset", "close"]) }]],
    [3, ["watch", { kind: "twice", lines: random.int(1, 6) }]],
    [3, ["watch", { kind: "old", lines: random.int(1, 10) }]],
    [3, ["watch", { kind: "error event", afterLines, code: random.pick([410, 410, 410, 429, 500, 504]) }]],
    [1, ["watch", { kind: "garbage", afterLines, text: random.pick(garbage) }]],
  ]);
  // A proxy that cuts streams short cuts all of them.
  const times =
    fault.kind === "brief"
      ? random.pick([1, 3, 12, 40])
      : random.weighted([
          [8, 1],
          [2, random.int(2, 6)],
          [1, random.int(6, 30)],
        ]);
  return { on, fault, ...(times > 1 ? { times } : {}) };
}

const garbage = [
  "<html>502 Bad Gateway</html>\n",
  "{}\n",
  "null\n",
  '{"type":"ADDED"}\n',
  '{"type":"SURPRISE","object":{"metadata":{"name":"x","resourceVersion":"1"}}}\n',
  '{"type":"MODIFIED","object":{"metadata":{"name":"cut\n',
  "\u0000\u0000\u0000\n",
];
