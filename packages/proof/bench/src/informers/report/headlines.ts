import { plotBars } from "../../shared/bars.ts";
import type { Sizes } from "../plan.ts";
import { nameOf, type Results } from "./results.ts";

/** A figure of the plot and of the README. */
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

const bars: readonly [subject: string, title: string, colour: string][] = [
  ["lazy", "ours, lazy", "#2f81f7"],
  ["parsed", "ours, parsed", "#79b8ff"],
  ["client-go", "client-go", "#e3894b"],
  ["client-node", "client-node", "#8b949e"],
  ["fluent", "fluent-client", "#8b949e"],
];

/** Returns bars, one panel for each figure. */
export function plot(results: Results, sizes: Sizes): string {
  const panels = headlines(sizes).map((headline) => {
    const { measure, resource, objects, figure, title, note } = headline;
    const seen = bars.flatMap(([subject, name, colour]) => {
      const value = results.median(nameOf({ measure, resource, objects, subject }), figure);
      // Go has no event loop that could stall.
      if (value === undefined || value === 0) return [];
      return [{ title: name, colour, value: Math.round(shown(headline, value)) }];
    });
    return { title, note, bars: seen };
  });
  return plotBars(panels, bars.length);
}
