import { expect, test } from "vitest";
import { formatOutcome } from "./report/terminal.ts";
import { allScripts } from "./scripts/scripts.ts";
import { playRecorded } from "./testing/play-recorded.ts";

// Every request of every script, against the answers that a real server gave to it.

const scripts = allScripts();
const { outcomes, mistakes } = await playRecorded(scripts);

test("answers as a real server did, but for what is explained", () => {
  expect(outcomes.map(formatOutcome).filter((text) => text !== "")).toEqual([]);
});

test("compares at least 2000 requests, in every area", () => {
  const compared = outcomes.reduce((sum, outcome) => sum + outcome.compared, 0);
  expect(compared).toBeGreaterThan(2000);
  expect(new Set(scripts.map(({ area }) => area)).size).toBeGreaterThanOrEqual(15);
});

test("makes no mistake of its own", () => {
  expect(mistakes).toEqual([]);
});
