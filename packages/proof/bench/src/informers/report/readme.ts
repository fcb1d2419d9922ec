import { table, updateBlock } from "../../shared/markdown.ts";
import type { Sizes } from "../plan.ts";
import { titles } from "../subjects/names.ts";
import { headlines, shown } from "./headlines.ts";
import { nameOf, type Results } from "./results.ts";

const subjects = ["lazy", "parsed", "client-go", "client-node", "fluent"];

/**
 * Replaces the headlines and targets between two comments of a README.
 *
 * @returns whether the README has these comments
 */
export async function updateReadme(
  file: string,
  results: Results,
  sizes: Sizes,
  { header, targets }: { header: readonly string[]; targets: readonly string[] },
): Promise<boolean> {
  const rows = headlines(sizes).map((headline) => [
    headline.title,
    ...subjects.map((subject) => {
      const value = results.median(nameOf({ ...headline, subject }), headline.figure);
      // Go has no event loop that could stall.
      if (value === undefined || value === 0) return "–";
      return shown(headline, value).toLocaleString("en-US", { maximumFractionDigits: 0 });
    }),
  ]);
  const heads = subjects.map((subject) => titles[subject] ?? subject);
  const plot = "![Bars: sync, events, stalls, memory and latency, ours and our peers'](bench/informers.svg)";
  const rest = "[All of it](bench/informers.md).";
  const block = [
    plot,
    "",
    ...header,
    rest,
    "",
    ...table(["Medians", ...heads], rows),
    "",
    "What was aimed at:",
    "",
    ...targets,
  ];
  return updateBlock(file, "informers", block);
}
