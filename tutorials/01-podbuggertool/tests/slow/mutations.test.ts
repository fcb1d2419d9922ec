import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  changeWord,
  formatReport,
  type Page,
  parsePage,
  replaceInPage,
  runPage,
} from "@operator-path/walkthrough";
import { afterEach, expect, test } from "vitest";

// A page that cannot fail proves nothing. Each of these is wrong on purpose, and verify must say where. (`pnpm mutants`
// leaves out each step of each page in turn.)

const tutorial = dirname(dirname(import.meta.dirname));
const root = dirname(dirname(tutorial));
const file = "tutorials/01-podbuggertool/1-from-the-laptop.md";
const page = parsePage(readFileSync(join(root, file), "utf8"), file);
const mutant = join(tutorial, ".mutant.md");

afterEach(() => rmSync(mutant, { force: true }));

/** The number of the line that holds this text. */
function lineOf(text: string): number {
  const lines = page.source.split("\n");
  const found = lines.findIndex((line) => line.includes(text));
  expect(found, `the page no longer says ${JSON.stringify(text)}`).toBeGreaterThan(0);
  return found + 1;
}

async function reportOf(mutated: Page) {
  const report = await runPage(parsePage(mutated.source, join(root, file)), { root });
  return { passed: report.passed, text: formatReport(report, { color: false }) };
}

test("one changed word of expected output: pnpm verify exits 1 and names page, line and step", async () => {
  const line = lineOf("deployment.apps/payment-1.0.0 created");
  writeFileSync(mutant, changeWord(page, line).source);
  const main = join(root, "packages/course/learn/src/main.ts");
  const tsx = join(root, "node_modules/.bin/tsx");
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    const args = ["--conditions=@operator-path/source", main, "verify", mutant];
    const env = { ...process.env, NO_COLOR: "1" };
    execFile(tsx, args, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
  expect(output).toContain(`.mutant.md:${line}  step a-shell-for-a-pod-without-one`);
  expect(output).toContain("- deployment.apps/payment-1.0.0 createdx");
  expect(output).toContain("+ deployment.apps/payment-1.0.0 created");
  expect(code).toBe(1);
});

test("a reconcile that returns early is seen in what the cluster says", async () => {
  const begin = "\n  return async function reconcile(key: string): Promise<void> {\n";
  const { passed, text } = await reportOf(replaceInPage(page, begin, `${begin}    if (key) return;\n`));
  expect(passed).toBe(false);
  expect(text).toContain("step reconcile");
  expect(text).toContain("- podbtool-payment selects 1");
});
