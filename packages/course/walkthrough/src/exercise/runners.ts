import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import stripAnsi from "strip-ansi";
import { runProgram } from "../run/run-program.ts";
import { type FailurePlaces, placesInStack } from "./failure-place.ts";
import type { ReportedTest } from "./node-reporter.ts";
import type { FileResults, RunnerOptions } from "./test-run.ts";

const reporter = fileURLToPath(new URL("./node-reporter.ts", import.meta.url));

/**
 * Runs tests of a file with Node's own runner. Node strips the types, in half the time that tsx needs. The
 * project's tsx, if it has one, runs what Node cannot load: enums, or imports without a file extension.
 *
 * @param path relative to the project
 */
export async function runWithNode(path: string, options: RunnerOptions): Promise<FileResults> {
  const results = await runNodeTests(process.execPath, path, options);
  const tsx = join(options.learner, "node_modules/.bin/tsx");
  const loaded = results.problem === undefined && results.tests.every(({ message }) => !isLoadError(message));
  return results.timedOut || loaded || !existsSync(tsx) ? results : runNodeTests(tsx, path, options);
}

/** @param program Node, or tsx */
async function runNodeTests(
  program: string,
  path: string,
  options: RunnerOptions,
): Promise<FileResults & { readonly timedOut?: true }> {
  const folder = mkdtempSync(join(options.env.TMPDIR ?? options.work, "exercise-"));
  try {
    const file = join(folder, "results.jsonl");
    const args = [
      "--test",
      `--test-name-pattern=/${options.pattern}/`,
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${file}`,
      path,
    ];
    const { status, output } = await runProgram(program, args, {
      cwd: options.learner,
      env: options.env,
      timeout: options.timeout,
      signal: options.signal,
    });
    if (status === undefined) {
      const problem = `it did not end within ${options.timeout / 1000} s`;
      return { tests: [], problem, output, timedOut: true };
    }
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    const reported = lines.filter(Boolean).map(readReported);
    return { ...resultsOf(reported, path, options.learner), output: stripAnsi(output) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** With FORCE_COLOR, Node colours its messages. */
function readReported(line: string): ReportedTest {
  const reported = JSON.parse(line) as ReportedTest;
  return { ...reported, message: stripAnsi(reported.message) };
}

/** Reports whether a message is about a missing or invalid module, which is not what a test checks. */
export function isLoadError(message: string): boolean {
  return /^(?:\w*Error(?: \[\w+\])?: )?(?:Cannot find (?:module|package)|Failed to (?:load|resolve)|Transform failed|TypeScript \w+ is not supported in strip-only mode)/.test(
    message,
  );
}

/** A suite is reported after its tests. Its name then goes before theirs. */
function resultsOf(
  reported: readonly ReportedTest[],
  path: string,
  project: string,
): Omit<FileResults, "output"> {
  const tests: ({
    path: string[];
    status: "passed" | "failed" | "skipped";
    message: string;
    nesting: number;
  } & FailurePlaces)[] = [];
  let stderr = "";
  for (const { kind, name, nesting, status, message, stack } of reported) {
    if (kind === "stderr") stderr += message;
    // Node reports a file as a test of its name if the file fails to load, or if no test matches.
    else if (name === path && status === "failed") return { tests: [], problem: errorOf(stderr) || message };
    else if (name === path) return { tests: [] };
    else {
      for (const inner of tests.filter((test) => test.nesting > nesting)) {
        inner.path.unshift(name);
        inner.nesting = nesting;
        if (inner.status === "skipped" && kind === "suite") inner.message = message;
      }
      const places = placesInStack(stack, project, path);
      if (kind === "test") tests.push({ path: [name], status, message, nesting, ...places });
    }
  }
  return { tests };
}

/** Returns the line that names the error, from Node's report of an uncaught one. */
function errorOf(stderr: string): string {
  const lines = stderr.split("\n");
  return (lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.find(Boolean) ?? "").trim();
}
