import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { runMutants } from "./mutants.ts";
import { type PageRun, updateReport } from "./report.ts";

const folder = mkdtempSync(join(tmpdir(), "report-test-"));
const file = join(folder, "mutants.md");
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a run with one mutant of each name. It is detected unless the name says that it survives. */
function run(page: string, kind: PageRun["class"], date: string, ...names: string[]): PageRun {
  const outcomes = names.map((name) => ({
    mutant: { class: kind, operator: name.split(" ")[0] ?? "", name, changes: new Map() },
    noticed: name.endsWith("survives") ? undefined : "the page: line 3",
  }));
  return { page, class: kind, date, outcomes };
}

test("replaces the rows of the pages and classes of a run, and keeps the others with their dates", () => {
  const existing = ["a/1", "a/2"];
  const update = (...runs: PageRun[]): void => updateReport(file, runs, { existing });
  update(
    run("a/1", "text", "2026-01-01", "name x survives", "number y"),
    run("a/1", "code", "2026-01-01", "call z"),
  );
  update(run("a/2", "text", "2026-01-02", "name u"), run("gone/1", "text", "2026-01-02", "name v"));
  update(run("a/1", "text", "2026-01-03", "name x"), run("a/2", "step", "2026-01-03", "step s survives"));
  const report = readFileSync(file, "utf8");
  expect(report.split("\n").filter((line) => /^[|\d-]/.test(line))).toEqual([
    "4 mutants, 3 noticed, 1 survived.",
    "| Class | Operator | Mutants | Noticed | By | Run |",
    "|-|-|-|-|-|-|",
    "| code | call | 1 | 1 | the page 1 | 2026-01-01 |",
    "| step | step | 1 | 0 |  | 2026-01-03 |",
    "| text | name | 2 | 2 | the page 2 | 2026-01-02 to 2026-01-03 |",
    "| Page | Steps | Text | Code | Manifests |",
    "|-|-|-|-|-|",
    "| a/1 | – | 1 of 1 (2026-01-03) | 1 of 1 (2026-01-01) | – |",
    "| a/2 | 0 of 1 (2026-01-03) | 1 of 1 (2026-01-02) | – | – |",
    "- a/2: step: `step s survives`",
  ]);
});

test.each([{ count: 3 }, { only: "name" }])("rejects a report of a part of a class: %o", async (part) => {
  const refused = runMutants([], { report: file, ...part });
  await expect(refused).rejects.toThrow("--report is for whole pages and classes");
});
