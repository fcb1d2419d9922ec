import { table } from "../../shared/markdown.ts";
import type { Measure, Task } from "../measurement.ts";
import type { Sizes } from "../plan.ts";
import { nameOf, type Results } from "./results.ts";

interface Target {
  readonly title: string;
  readonly measure: Measure;
  readonly resource: Task["resource"];
  readonly objects: keyof Pick<Sizes, "small" | "large" | "kept">;
  readonly figure: string;
  readonly ours: "parsed" | "lazy" | "lazy-cold";
  /** The peer of the ratio; without one, the figure itself counts. */
  readonly peer?: "client-node" | "client-go";
  readonly better: "less" | "more";
  readonly atLeast: number;
  readonly aim: number;
}

type Bounds = readonly [atLeast: number, aim: number];

const sync = (peer: "client-node" | "client-go", ours: "parsed" | "lazy", [atLeast, aim]: Bounds): Target[] =>
  (["pods", "caches"] as const).map((resource) => ({
    title: `sync, ${ours}, wall ÷ ${peer}`,
    ...{ measure: "sync", objects: "small", figure: "wall", better: "less" },
    ...{ resource, ours, peer, atLeast, aim },
  }));
const events = (
  peer: "client-node" | "client-go",
  ours: "parsed" | "lazy",
  [atLeast, aim]: Bounds,
): Target[] =>
  (["pods", "caches"] as const).map((resource) => ({
    title: `events a second, ${ours}, × ${peer}`,
    ...{ measure: "events", objects: "small", figure: "perSecond", better: "more" },
    ...{ resource, ours, peer, atLeast, aim },
  }));

const targets: readonly Target[] = [
  ...sync("client-node", "parsed", [0.4, 0.33]),
  ...sync("client-node", "lazy", [0.22, 0.18]),
  ...sync("client-go", "parsed", [0.4, 0.33]),
  ...sync("client-go", "lazy", [0.22, 0.17]),
  ...events("client-node", "parsed", [1.4, 1.6]),
  ...events("client-node", "lazy", [3.5, 4]),
  ...events("client-go", "parsed", [6, 8]),
  ...events("client-go", "lazy", [15, 20]),
  ...(["parsed", "lazy"] as const).flatMap((ours) =>
    (["pods", "caches"] as const).map(
      (resource): Target => ({
        title: `longest stall, ${ours}, ms`,
        ...{ measure: "sync", objects: "large", figure: "stall", better: "less", atLeast: 50, aim: 25 },
        ...{ ours, resource },
      }),
    ),
  ),
  ...(["pods", "caches"] as const).map(
    (resource): Target => ({
      title: "peak RSS, lazy, ÷ client-node",
      ...{ measure: "sync", objects: "small", figure: "peakRss", better: "less", atLeast: 0.45, aim: 0.35 },
      ...{ ours: "lazy", peer: "client-node", resource },
    }),
  ),
  ...(
    [
      ["parsed", 0.5, 0.4],
      ["lazy", 0.35, 0.1],
      ["lazy-cold", 0.35, 0.1],
    ] as const
  ).map(
    ([ours, atLeast, aim]): Target => ({
      title: `bytes kept, ${ours}, ÷ client-node`,
      ...{
        measure: "kept",
        objects: "kept",
        resource: "pods",
        figure: "bytes",
        better: "less",
        peer: "client-node",
      },
      ...{ ours, atLeast, aim },
    }),
  ),
  ...(["parsed", "lazy"] as const).map(
    (ours): Target => ({
      title: `p99 latency, ${ours}, ÷ client-node`,
      ...{
        measure: "latency",
        objects: "small",
        resource: "pods",
        figure: "p99",
        better: "less",
        peer: "client-node",
      },
      ...{ ours, atLeast: 0.6, aim: 0.4 },
    }),
  ),
];

export interface TargetRows {
  /** A Markdown table. */
  readonly lines: string[];
  /** Names of our tasks below "at least". */
  readonly missed: string[];
}

/**
 * Compares figures with the targets. A ratio is the median of each round's own ratio. Beside it stands the
 * ratio of CPU time, which a busy machine changes less.
 */
export function targetRows(results: Results, sizes: Sizes): TargetRows {
  const missed = new Set<string>();
  const rows = targets.flatMap((target) => {
    const { measure, resource, figure, better } = target;
    const place = { measure, resource, objects: sizes[target.objects] };
    const own = nameOf({ ...place, subject: target.ours });
    const peer = target.peer && nameOf({ ...place, subject: fasterOf(target.peer, place, figure, better) });
    const seen = peer === undefined ? results.median(own, figure) : results.ratio(own, peer, figure);
    if (seen === undefined) return [];
    const reaches = (bound: number): boolean => (better === "less" ? seen <= bound : seen >= bound);
    if (!reaches(target.atLeast)) missed.add(own);
    const verdict = reaches(target.aim) ? "aim met" : reaches(target.atLeast) ? "met" : "MISSED";
    const show = (value: number): string => value.toFixed(target.peer === undefined ? 0 : 2);
    const what = `${target.title}, ${place.objects.toLocaleString("en-US")} ${resource === "pods" ? "Pods" : "custom resources"}`;
    const cpu = peer === undefined ? undefined : results.ratio(own, peer, "cpu");
    return [[what, show(seen), show(target.atLeast), show(target.aim), verdict, cpu?.toFixed(2) ?? ""]];
  });
  return { lines: table(["Figure", "seen", "at least", "aim", "", "CPU ÷"], rows), missed: [...missed] };

  /** client-go has two modes; the faster one counts. */
  function fasterOf(
    peer: string,
    place: Omit<Task, "events" | "subject">,
    figure: string,
    better: "less" | "more",
  ) {
    if (peer !== "client-go") return peer;
    const other = "client-go-watchlist";
    const [list, stream] = [peer, other].map((subject) =>
      results.median(nameOf({ ...place, subject }), figure),
    );
    if (list === undefined || stream === undefined) return peer;
    return (better === "less" ? stream < list : stream > list) ? other : peer;
  }
}
