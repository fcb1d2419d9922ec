import { expect, test } from "vitest";
import { plotMemory } from "./plot.ts";

test("the curve goes from the first to the last sample, within the frame", () => {
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

test("no samples, no curve, and still a picture", () => {
  expect(plotMemory([{ name: "heap", colour: "#27c", points: [] }])).toContain("</svg>");
});
