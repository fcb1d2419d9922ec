import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import stripAnsi from "strip-ansi";
import { runProgram } from "../run/run-program.ts";
import type { FileResults, TestOptions } from "./file-results.ts";
import type { ReportedTest } from "./node-reporter.ts";

const reporter = fileURLToPath(new URL("./node-reporter.ts", import.meta.url));

/** Runs tests of a file with Node's own runner, through the project's tsx where it has one. As `runWithVitest`. */
export async function runWithNode(
  path: string,
  o: TestOptions & { readonly pattern: string },
): Promise<FileResults> {
  const folder = mkdtempSync(join(o.env.TMPDIR ?? o.work, "exercise-"));
  try {
    const file = join(folder, "results.jsonl");
    const tsx = join(o.learner, "node_modules/.bin/tsx");
    const args = [
      "--test",
      `--test-name-pattern=/${o.pattern}/`,
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${file}`,
      path,
    ];
    const { status, output } = await runProgram(existsSync(tsx) ? tsx : process.execPath, args, {
      cwd: o.learner,
      env: o.env,
      timeout: o.timeout,
      signal: o.signal,
    });
    if (status === undefined)
      return { tests: [], problem: `it did not end within ${o.timeout / 1000} s`, output };
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    const reported = lines.filter(Boolean).map((line) => JSON.parse(line) as ReportedTest);
    return { ...resultsOf(reported, path), output: stripAnsi(output) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A suite is reported after what is in it: its name is put before theirs then. */
function resultsOf(reported: readonly ReportedTest[], path: string): Omit<FileResults, "output"> {
  const tests: {
    path: string[];
    status: "passed" | "failed" | "skipped";
    message: string;
    nesting: number;
  }[] = [];
  let said = "";
  for (const { kind, name, nesting, status, message } of reported) {
    if (kind === "stderr") said += message;
    // A file that breaks off is a test that has its name, and so is one of which nothing was asked.
    else if (name === path && status === "failed")
      return { tests: [], problem: errorOf(stripAnsi(said)) || message };
    else if (name === path) return { tests: [] };
    else {
      for (const inner of tests.filter((test) => test.nesting > nesting)) {
        inner.path.unshift(name);
        inner.nesting = nesting;
        if (inner.status === "skipped" && kind === "suite") inner.message = message;
      }
      if (kind === "test") tests.push({ path: [name], status, message, nesting });
    }
  }
  return { tests };
}

/** The line that says what is wrong, of what Node writes about an error that nobody caught. */
function errorOf(said: string): string {
  const lines = said.split("\n");
  return (lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.find(Boolean) ?? "").trim();
}
