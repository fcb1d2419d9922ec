import { expect, test } from "vitest";
import { drawHistory } from "./draw.ts";
import { runHistory } from "./run-history.ts";

/** .ci/run runs more of them: pnpm proof faults --managers. */
const seeds = Array.from({ length: 12 }, (_, index) => index + 1);

test("a dozen histories of faults and crashes keep every promise", async () => {
  let crashes = 0;
  let refused = 0;
  for (const seed of seeds) {
    const { problems, counts } = await runHistory(drawHistory(seed));
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    crashes += counts.crashes ?? 0;
    refused += counts.refused ?? 0;
  }
  expect(crashes).toBeGreaterThan(seeds.length / 2);
  expect(refused).toBeGreaterThan(seeds.length / 2);
});

test("a seed always gives the same trace", async () => {
  const first: string[] = [];
  const second: string[] = [];
  await runHistory(drawHistory(3), (line) => first.push(line));
  await runHistory(drawHistory(3), (line) => second.push(line));
  expect(first.length).toBeGreaterThan(100);
  expect(second).toEqual(first);
});
