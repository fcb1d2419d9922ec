import fc from "fast-check";
import { expect, test } from "vitest";
import { timeOf } from "./format.ts";
import { labelWidth, ticksOf } from "./time-axis.ts";

const noon = Date.UTC(2026, 0, 5, 12);

test("labels are round times of the day", () => {
  const labels = ticksOf(noon, noon + 120_000, 500).map(({ label }) => label);
  expect(labels).toEqual([30, 60, 90].map((seconds) => timeOf(noon + seconds * 1000)));
});

test("labels that are minutes apart have no seconds", () => {
  const labels = ticksOf(noon, noon + 600_000, 300).map(({ label }) => label);
  expect(labels).toEqual([timeOf(noon + 300_000).slice(0, 5)]);
});

test("labels never overlap, and none is cut at an end", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_600_000 }),
      fc.constantFrom(30, 120, 600),
      fc.integer({ min: 0, max: 2500 }),
      (offset, seconds, width) => {
        const from = noon + offset;
        const ticks = ticksOf(from, from + seconds * 1000, width);
        for (const [index, { x }] of ticks.entries()) {
          expect(x).toBeGreaterThanOrEqual(labelWidth / 2);
          expect(x).toBeLessThanOrEqual(width - labelWidth / 2);
          const next = ticks[index + 1];
          if (next) expect(next.x - x).toBeGreaterThanOrEqual(labelWidth);
        }
        if (width >= 300) expect(ticks.length).toBeGreaterThan(0);
      },
    ),
  );
});
