import { expect, test } from "vitest";
import { unusedPlaces } from "./explain.ts";
import { formatOutcome } from "./report/terminal.ts";
import { allScripts } from "./scripts/scripts.ts";
import { playRecorded } from "./testing/play-recorded.ts";

const scripts = allScripts();
const { outcomes, errors } = await playRecorded(scripts);

test("answers like a real server, except for known differences", () => {
  expect(outcomes.map(formatOutcome).filter((text) => text !== "")).toEqual([]);
});

test("every known difference still occurs", () => {
  expect(unusedPlaces(outcomes)).toEqual([]);
});

test("compares at least 2000 requests, in every area", () => {
  const compared = outcomes.reduce((sum, outcome) => sum + outcome.compared, 0);
  expect(compared).toBeGreaterThan(2000);
  expect(new Set(scripts.map(({ area }) => area)).size).toBeGreaterThanOrEqual(15);
});

test("logs no internal error", () => {
  expect(errors).toEqual([]);
});
