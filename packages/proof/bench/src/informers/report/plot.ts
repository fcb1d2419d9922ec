import { plotBars } from "../../shared/bars.ts";
import type { Sizes } from "../plan.ts";
import { headlines, shown } from "./headlines.ts";
import { nameOf, type Results } from "./results.ts";

const bars: readonly [subject: string, title: string, colour: string][] = [
  ["lazy", "ours, lazy", "#2f81f7"],
  ["parsed", "ours, parsed", "#79b8ff"],
  ["client-go", "client-go", "#e3894b"],
  ["client-node", "client-node", "#8b949e"],
  ["fluent", "fluent-client", "#8b949e"],
];

/** Bars, a panel a figure. */
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
