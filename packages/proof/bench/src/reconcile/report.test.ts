import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { updateBlock } from "../shared/markdown.ts";
import type { OperatorFigures } from "./measurement.ts";
import { createPace, only, planRound, type SubjectName, usualPlan } from "./plan.ts";
import { figuresTable, headlines, memoryLines, plot, verdicts } from "./report.ts";
import { createResults } from "./results.ts";

const load = { objects: 1_000, workers: 1 };

const figures = (over: Partial<OperatorFigures>): OperatorFigures => ({
  ...{ settle: 8_000, start: 100, cpu: 1_500, peakRss: 50 * 2 ** 20, reconciles: 2_400, queueWait: 7_900 },
  requests: { "GET 200": 5, "POST 201": 2_000, "PUT 200": 1_000 },
  ...over,
});

function resultsOf(rounds: readonly Partial<Record<SubjectName, Partial<OperatorFigures>>>[]) {
  const results = createResults();
  for (const [round, seen] of rounds.entries()) {
    for (const [subject, over] of Object.entries(seen)) {
      const task = { subject: subject as SubjectName, ...load };
      results.add({ round, task, figures: figures(over) });
    }
  }
  return results;
}

const inVain = { "POST 201": 2_000, "PUT 200": 1_000, "PUT 409": 311 };

test("every round takes all subjects in turn, in a different order", () => {
  const names = (round: number) =>
    planRound(usualPlan.loads, round, ["go", "ours"]).map(
      ({ subject, objects, workers }) => `${subject} ${objects}/${workers}`,
    );
  expect(names(0)).toEqual(["go 1000/1", "ours 1000/1", "go 1000/4", "ours 1000/4"]);
  expect(names(1)).toEqual(["ours 1000/1", "go 1000/1", "ours 1000/4", "go 1000/4"]);
});

test("estimates long tasks by the same subject with as many workers or fewer", () => {
  const pace = createPace();
  pace.note({ subject: "go", objects: 1_000, workers: 1 }, 20_000);
  pace.note({ subject: "go", objects: 1_000, workers: 4 }, 8_000);
  pace.note({ subject: "go", objects: 1_000, workers: 4 }, 10_000);
  pace.note({ subject: "ours", objects: 1_000, workers: 1 }, 15_000);
  const task = (subject: SubjectName) => ({ subject, objects: 10_000, workers: 4 });
  expect(pace.estimate([task("go")])).toBe(100_000);
  expect(pace.estimate([task("go"), task("ours"), task("embedded")])).toBe(250_000);
});

test("names an unknown subject", () => {
  expect(only([])).toEqual(["go", "ours", "embedded"]);
  expect(only(["embedded", "go"])).toEqual(["go", "embedded"]);
  expect(() => only(["rust"])).toThrow("unknown subject rust (expected one of go, ours, embedded)");
});

test("the table of medians has a row for each measured subject, with its writes and those in vain", () => {
  const results = resultsOf([
    { go: { settle: 9_000, requests: inVain }, ours: { settle: 7_000 } },
    { go: { settle: 8_000, requests: inVain }, ours: { settle: 6_000 } },
  ]);
  const cells = figuresTable(results).map((line) => line.split("|").map((cell) => cell.trim()));
  expect(cells.slice(2).map((row) => row.slice(1, -1))).toEqual([
    ["1,000 objects, 1 worker: Go", "8.50", "1.50", "50", "2,400", "3,311", "311", "7.90"],
    ["1,000 objects, 1 worker: ours", "6.50", "1.50", "50", "2,400", "3,000", "0", "7.90"],
  ]);
  expect(headlines(results).join("\n")).toMatch(/1 worker: writes +\| +3,311 \| +3,000 \|/);
  expect(plot(results)).toContain("Writes: 1,000 objects, 1 worker");
});

test("judges writes exactly, in the worst round, and ratios by the median of each round's own", () => {
  const results = resultsOf([
    { go: { settle: 8_000, cpu: 1_000 }, ours: { settle: 8_000, cpu: 1_400 } },
    // A slow moment of the machine, which affected both.
    {
      go: { settle: 80_000, cpu: 1_000 },
      ours: { settle: 72_000, cpu: 1_400, requests: { "POST 201": 3_001 } },
    },
    { go: { settle: 8_000, cpu: 1_000 }, ours: { settle: 8_800, cpu: 1_400, peakRss: 200 * 2 ** 20 } },
  ]);
  const { lines, missed } = verdicts(results);
  const rows = lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  expect(rows).toEqual([
    ["1,000 objects, 1 worker: writes, ours", "3,001", "3,000", "", "MISSED"],
    ["1,000 objects, 1 worker: settled after ÷ Go", "1.00", "1.00", "1.00", "met"],
    ["1,000 objects, 1 worker: CPU ÷ Go", "1.40", "1.50", "1.00", "met, aim missed"],
    ["1,000 objects, 1 worker: peak RSS ÷ Go", "1.00", "2.50", "2.50", "met"],
  ]);
  expect(missed).toEqual([]);
});

test("judges only writes without Go's figures, and profiles a missed ratio", () => {
  expect(verdicts(resultsOf([{ ours: {}, embedded: {} }])).lines.slice(2)).toEqual([
    expect.stringMatching(/writes, ours +\| 3,000 \| +3,000 \| +\| +met \|/),
    expect.stringMatching(/writes, ours, embedded +\| 3,000 \| +3,000 \| +\| +met \|/),
  ]);
  expect(verdicts(resultsOf([{ go: { cpu: 1_000 }, ours: { cpu: 1_600 } }])).missed).toEqual([load]);
});

test("reports where our memory is, if known", () => {
  const [program, heap, rest] = [60, 40, 30].map((megabytes) => megabytes * 2 ** 20) as [
    number,
    number,
    number,
  ];
  expect(memoryLines(resultsOf([{ go: {}, ours: { memory: { program, heap, rest } } }]))).toEqual([
    "Ours in the end, 1,000 objects, 1 worker: 60 MB are Node's program, 40 V8's heap, 30 the rest.",
  ]);
  expect(memoryLines(resultsOf([{ go: {}, ours: {} }]))).toEqual([]);
});

test("replaces the README's block, and nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "readme-"));
  const file = join(folder, "README.md");
  await writeFile(file, "a\n<!-- pnpm bench reconcile: begin -->\n<!-- pnpm bench reconcile: end -->\nb\n");
  expect(await updateBlock(file, "reconcile", ["1"])).toBe(true);
  expect(await updateBlock(file, "reconcile", ["2"])).toBe(true);
  expect(await updateBlock(file, "informers", ["3"])).toBe(false);
  expect(await readFile(file, "utf8")).toBe(
    "a\n<!-- pnpm bench reconcile: begin -->\n2\n<!-- pnpm bench reconcile: end -->\nb\n",
  );
  await rm(folder, { recursive: true });
});
