import type { Sizes } from "../plan.ts";

/** One of the figures that stand for all: in the plot, and in the README. */
export interface Headline {
  readonly title: string;
  readonly note: "less is better" | "more is better";
  readonly measure: "sync" | "events" | "kept" | "latency";
  readonly resource: "pods" | "caches";
  readonly objects: number;
  readonly figure: string;
}

export function headlines({ small, large, kept }: Sizes): Headline[] {
  const of = (
    title: string,
    resource: Headline["resource"],
    objects: number,
    unit: string,
    measured: Pick<Headline, "measure" | "figure">,
    note: Headline["note"] = "less is better",
  ): Headline => {
    const what = `${objects.toLocaleString("en-US")} ${resource === "pods" ? "Pods" : "custom resources"}`;
    return { title: `${title} ${what}${unit && `, ${unit}`}`, note, resource, objects, ...measured };
  };
  const both = ["pods", "caches"] as const;
  return [
    ...both.map((resource) => of("Sync of", resource, small, "ms", { measure: "sync", figure: "wall" })),
    ...both.map((resource) =>
      of(
        "Events a second, cache of",
        resource,
        small,
        "",
        { measure: "events", figure: "perSecond" },
        "more is better",
      ),
    ),
    of("Longest stall in a sync of", "pods", large, "ms", { measure: "sync", figure: "stall" }),
    of("Bytes kept an object, of", "pods", kept, "", { measure: "kept", figure: "bytes" }),
    of("p99 latency, cache of", "pods", small, "µs", { measure: "latency", figure: "p99" }),
    of("Peak memory in a sync of", "pods", small, "MB", { measure: "sync", figure: "peakRss" }),
  ];
}

/** In the unit of the title. */
export function shown({ figure }: Headline, value: number): number {
  return figure === "peakRss" ? value / 2 ** 20 : value;
}
