import { expect, test } from "vitest";
import type { Task } from "../measurement.ts";
import { usualSizes } from "../plan.ts";
import { createResults, nameOf, type Results } from "./results.ts";
import { targetRows } from "./targets.ts";

const sync = (subject: string): Task => ({
  measure: "sync",
  resource: "pods",
  objects: 10_000,
  events: 0,
  subject,
});
const figures = (wall: number) => ({ wall, cpu: 1, peakRss: 1, stall: 1 });

function seen(rounds: Record<string, number>[]): Results {
  const results = createResults();
  for (const [round, walls] of rounds.entries()) {
    for (const [subject, wall] of Object.entries(walls)) results.add(round, sync(subject), figures(wall));
  }
  return results;
}

const verdicts = (results: Results) =>
  Object.fromEntries(
    targetRows(results, usualSizes)
      .lines.slice(2)
      .map((line) => line.split("|").map((cell) => cell.trim()))
      .map(([, what, ratio, , , verdict]) => [what, `${ratio} ${verdict}`]),
  );

test("takes ratios within one round, so that a slow round changes nothing", () => {
  const results = seen([
    { lazy: 20, "client-node": 100 },
    { lazy: 200, "client-node": 1_000 },
    { lazy: 30, "client-node": 300 },
  ]);
  expect(results.ratio(nameOf(sync("lazy")), nameOf(sync("client-node")), "wall")).toBe(0.2);
  expect(results.median(nameOf(sync("lazy")), "wall")).toBe(30);
});

test("targets are met, missed, or left out", () => {
  expect(verdicts(seen([{ lazy: 20, parsed: 50, "client-node": 100 }]))).toMatchObject({
    "sync, lazy, wall ÷ client-node, 10,000 Pods": "0.20 met",
    "sync, parsed, wall ÷ client-node, 10,000 Pods": "0.50 MISSED",
  });
  expect(Object.keys(verdicts(seen([{ lazy: 20 }])))).not.toContain(
    "sync, lazy, wall ÷ client-node, 10,000 Pods",
  );
});

test("compares with the faster mode of client-go", () => {
  const rows = verdicts(seen([{ lazy: 20, "client-go": 80, "client-go-watchlist": 40 }]));
  expect(rows["sync, lazy, wall ÷ client-go, 10,000 Pods"]).toBe("0.50 MISSED");
});
