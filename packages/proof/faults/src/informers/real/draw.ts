import { drawFate, type Fate } from "../../proxy/fate.ts";
import { createRandom } from "../../random.ts";
import type { HandlerKind } from "../steps.ts";
import type { kinds } from "./kinds.ts";

export type Step =
  | { do: "write"; op: "put" | "delete" | "recreate"; object: number; value: number }
  | { do: "wait"; ms: number }
  /** Breaks or silences every open connection. */
  | { do: "reset" }
  | { do: "silence" }
  /** Starts or stops refusing new connections. */
  | { do: "refuse"; refusing: boolean };

/** The parts that a seed decides. The timing of the server and the network differs between replays. */
export interface RealHistory {
  readonly seed: number;
  readonly kind: keyof typeof kinds;
  readonly store: "parsed" | "lazy" | "metadata";
  readonly watchList: boolean;
  readonly pageSize: number;
  /** Milliseconds without a change after which a lazy object is compressed. */
  readonly coldAfterMs: number;
  readonly handlers: readonly HandlerKind[];
  /** The number of objects before the informer starts. */
  readonly prefilled: number;
  readonly steps: readonly Step[];
  /** The fate of the nth connection. */
  fate(connection: number): Fate;
}

export const objects = 12;

const stores = ["parsed", "lazy", "metadata"] as const;

export function drawRealHistory(seed: number): RealHistory {
  const random = createRandom(`real ${seed}`);
  const draw = random.fork("steps");
  return {
    seed,
    kind: random.pick(["configmaps", "widgets"]),
    store: stores[seed % stores.length] as (typeof stores)[number],
    watchList: random.chance(0.6),
    pageSize: random.pick([3, 500]),
    coldAfterMs: random.pick([0, 50, 30_000]),
    handlers: Array.from({ length: random.int(1, 4) }, () =>
      random.pick<HandlerKind>(["sync", "slow", "throwing", "rejecting", "changed"]),
    ),
    prefilled: random.int(0, objects),
    steps: Array.from({ length: draw.int(60, 160) }, () => drawStep(draw)).flat(),
    fate: (connection) =>
      drawFate(random.fork(`connection ${connection}`), { ends: 0.7, slow: 0.4, lifetime: 700 }),
  };
}

function drawStep(random: ReturnType<typeof createRandom>): Step[] {
  const write = (): Step => ({
    do: "write",
    op: random.weighted([
      [6, "put"],
      [2, "delete"],
      [2, "recreate"],
    ]),
    object: random.int(0, objects),
    value: random.int(0, 1_000),
  });
  return random.weighted<() => Step[]>([
    [12, () => [write()]],
    [4, () => Array.from({ length: random.int(2, 10) }, write)],
    [10, () => [{ do: "wait", ms: random.int(1, 80) }]],
    [1, () => [{ do: "reset" }]],
    [1, () => [{ do: "silence" }]],
    [
      1,
      () => [
        { do: "refuse", refusing: true },
        { do: "reset" },
        write(),
        { do: "wait", ms: random.int(1, 200) },
        write(),
        { do: "refuse", refusing: false },
      ],
    ],
  ])();
}
