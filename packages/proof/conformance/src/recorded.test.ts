import { expect, test } from "vitest";
import { formatOutcome } from "./report/terminal.ts";
import { allScripts } from "./scripts/scripts.ts";
import { playRecorded } from "./testing/play-recorded.ts";

// Every fourth script, and one of each area, against the answers that a real server gave to them: all are in
// recorded.slow.test.ts, and `pnpm proof conformance` asks a real server itself, where one can be built.

test("a quarter of the scripts is answered as a real server did, but for what is explained", async () => {
  const areas = new Set<string>();
  const scripts = allScripts().filter(({ area }, index) => {
    const isFirst = !areas.has(area);
    areas.add(area);
    return isFirst || index % 4 === 3;
  });
  const { outcomes, mistakes } = await playRecorded(scripts);
  expect(outcomes.map(formatOutcome).filter((text) => text !== "")).toEqual([]);
  expect(mistakes).toEqual([]);
  expect(outcomes.reduce((sum, { compared }) => sum + compared, 0)).toBeGreaterThan(500);
});
