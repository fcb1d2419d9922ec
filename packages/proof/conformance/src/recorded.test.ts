import { expect, test } from "vitest";
import { unusedPlaces } from "./explain.ts";
import { formatOutcome } from "./report/terminal.ts";
import { allScripts } from "./scripts/scripts.ts";
import { playRecorded } from "./testing/play-recorded.ts";

// recorded.slow.test.ts plays all scripts. `pnpm proof conformance` asks a real server where one can be built.

test("answers a quarter of the scripts like a real server, except for known differences", async () => {
  const areas = new Set<string>();
  const scripts = allScripts().filter(({ area }, index) => {
    const isFirst = !areas.has(area);
    areas.add(area);
    return isFirst || index % 4 === 3;
  });
  const { outcomes, errors } = await playRecorded(scripts);
  expect(outcomes.map(formatOutcome).filter((text) => text !== "")).toEqual([]);
  expect(unusedPlaces(outcomes)).toEqual([]);
  expect(errors).toEqual([]);
  expect(outcomes.reduce((sum, { compared }) => sum + compared, 0)).toBeGreaterThan(500);
});
