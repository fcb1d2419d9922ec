import { expect, test } from "vitest";
import { formatOutcome } from "./report/terminal.ts";
import { allScripts } from "./scripts/scripts.ts";
import { playRecorded } from "./testing/play-recorded.ts";

// Every fourth script, against the answers that a real server gave to it: all of them are in recorded.slow.test.ts, and
// `pnpm proof conformance` asks a real server itself, where one can be built.

test("a quarter of the scripts is answered as a real server did, but for what is explained", async () => {
  const scripts = allScripts().filter((_, index) => index % 4 === 0);
  const { outcomes, mistakes } = await playRecorded(scripts);
  expect(outcomes.map(formatOutcome).filter((text) => text !== "")).toEqual([]);
  expect(mistakes).toEqual([]);
  // It is a sample: of every area, and large enough.
  expect(new Set(scripts.map(({ area }) => area))).toEqual(new Set(allScripts().map(({ area }) => area)));
  expect(outcomes.reduce((sum, { compared }) => sum + compared, 0)).toBeGreaterThan(500);
});
