import { expect, test } from "vitest";
import type { Outcome } from "../run/history-kind.ts";
import { drawHistory } from "./draw.ts";
import { runHistory } from "./run-history.ts";

// The seeds are fixed, so a failure is reproducible. .ci/run runs 3000 of them: pnpm proof faults.
test("a hundred histories keep every promise", async () => {
  const failures: string[] = [];
  for (let seed = 0; seed < 100; seed++) {
    const { problems } = await runHistory(drawHistory(seed));
    if (problems.length > 0) failures.push(`pnpm proof faults --seed ${seed}: ${problems.join("; ")}`);
  }
  expect(failures).toEqual([]);
});

// The second history took different turns on a busy machine before performance.now stood still.
test.each([12_345, 4_711])("seed %i always gives the same requests at the same times", async (seed) => {
  const traces: string[][] = [];
  for (let round = 0; round < 2; round++) {
    const trace: string[] = [];
    await runHistory(drawHistory(seed), (line) => trace.push(line));
    traces.push(trace);
  }
  expect(traces[0]?.length).toBeGreaterThan(50);
  expect(traces[1]).toEqual(traces[0]);
});

test("histories have requests, faults and events", async () => {
  const outcomes: Outcome[] = [];
  for (let seed = 1; seed <= 20; seed++) outcomes.push(await runHistory(drawHistory(seed)));
  const sum = (part: "requests" | "faults" | "events") =>
    outcomes.reduce((total, outcome) => total + (outcome.counts[part] ?? 0), 0);
  expect(sum("requests")).toBeGreaterThan(400);
  expect(sum("faults")).toBeGreaterThan(100);
  expect(sum("events")).toBeGreaterThan(300);
});
