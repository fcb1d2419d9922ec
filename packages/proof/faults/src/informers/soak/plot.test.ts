import { expect, test } from "vitest";
import { plotMemory } from "./plot.ts";

test("draws the curve from the first to the last sample, within the frame", () => {
  const points = [
    [0, 50e6],
    [1_800_000, 80e6],
    [3_600_000, 60e6],
  ] as const;
  const svg = plotMemory([{ name: "heap", colour: "#27c", points }]);
  expect(svg).toContain('d="M56 116.5L382 28L708 87"');
  expect(svg).toContain(">80<");
  expect(svg.match(/text-anchor="middle">(\d+)</g)).toHaveLength(5);
});

test("draws a picture without a curve if there are no samples", () => {
  expect(plotMemory([{ name: "heap", colour: "#27c", points: [] }])).toContain("</svg>");
});
