import { afterAll, expect, test } from "vitest";
import { readAnswers } from "./answers.ts";
import { formatOutcome } from "./report/terminal.ts";
import { runScripts } from "./run.ts";
import { allScripts } from "./scripts/scripts.ts";
import { startOurs } from "./targets/ours.ts";

// Every request of every script, against the answers that a real server gave to it. `pnpm proof conformance` asks a real
// server itself, where one can be built.

const scripts = allScripts();
const mistakes: string[] = [];
const ours = await startOurs((line) => mistakes.push(line));
afterAll(() => ours.stop());
const { answersOf } = await readAnswers(scripts);
const outcomes = await runScripts(scripts, ours, answersOf);

test("answers as a real server did, but for what is explained", () => {
  expect(outcomes.map(formatOutcome).filter((text) => text !== "")).toEqual([]);
});

test("compares at least 250 requests, in every area", () => {
  const compared = outcomes.reduce((sum, outcome) => sum + outcome.compared, 0);
  expect(compared).toBeGreaterThan(2000);
  expect(new Set(scripts.map(({ area }) => area)).size).toBeGreaterThanOrEqual(15);
});

test("makes no mistake of its own", () => {
  expect(mistakes).toEqual([]);
});
