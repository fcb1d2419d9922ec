import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import stripAnsi from "strip-ansi";
import { z } from "zod";
import { runProgram } from "../run/run-program.ts";
import { type FailedLine, type FilePlace, failedLine, placeInStack } from "./failure-place.ts";
import type { ReportedTest } from "./node-reporter.ts";
import { type Diffs, diffsVariable } from "./vitest-reporter.ts";

export interface TestOptions {
  /** The project. The tests run in it, with its installed packages. */
  readonly learner: string;
  /** The run's working folder, in the place of the tutorial's. */
  readonly work: string;
  /** The whole environment of the tests. Temporary results go to TMPDIR. */
  readonly env: Readonly<Record<string, string>>;
  /** How long the tests of a file may take together, in milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** The results of a test runner for one file. */
export interface FileResults {
  readonly tests: readonly {
    /** The titles from the outermost `describe` on. */
    readonly path: readonly string[];
    readonly status: "passed" | "failed" | "skipped";
    readonly message: string;
    /** Where the project's own code failed. Undefined if only an assertion of the test did. */
    readonly place?: FilePlace;
    /** The line of the test that failed. */
    readonly line?: FailedLine;
  }[];
  /** Why the file did not run, or not to its end. */
  readonly problem?: string;
  /** The output of the runner. */
  readonly output: string;
}

const reporter = fileURLToPath(new URL("./node-reporter.ts", import.meta.url));
const vitestReporter = fileURLToPath(new URL("./vitest-reporter.ts", import.meta.url));

/**
 * Runs tests of a file with Node's own runner. Node strips the types, in half the time that tsx needs. The
 * project's tsx, if it has one, runs what Node cannot load: enums, or imports without a file extension.
 * Parameters as in `runWithVitest`.
 */
export async function runWithNode(
  path: string,
  options: TestOptions & { readonly pattern: string },
): Promise<FileResults> {
  const results = await runNodeTests(process.execPath, path, options);
  const tsx = join(options.learner, "node_modules/.bin/tsx");
  const loaded = results.problem === undefined && results.tests.every(({ message }) => !isLoadError(message));
  return results.timedOut || loaded || !existsSync(tsx) ? results : runNodeTests(tsx, path, options);
}

/** @param program Node, or tsx */
async function runNodeTests(
  program: string,
  path: string,
  options: TestOptions & { readonly pattern: string },
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
    const reported = lines.filter(Boolean).map((line) => JSON.parse(line) as ReportedTest);
    return { ...resultsOf(reported, path, options.learner), output: stripAnsi(output) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
  const tests: {
    path: string[];
    status: "passed" | "failed" | "skipped";
    message: string;
    nesting: number;
    place?: FilePlace;
    line?: FailedLine;
  }[] = [];
  let stderr = "";
  for (const { kind, name, nesting, status, message, stack } of reported) {
    if (kind === "stderr") stderr += message;
    // Node reports a file as a test of its name if the file fails to load, or if no test matches.
    else if (name === path && status === "failed")
      return { tests: [], problem: errorOf(stripAnsi(stderr)) || message };
    else if (name === path) return { tests: [] };
    else {
      for (const inner of tests.filter((test) => test.nesting > nesting)) {
        inner.path.unshift(name);
        inner.nesting = nesting;
        if (inner.status === "skipped" && kind === "suite") inner.message = message;
      }
      const place = placeInStack(stack, project, path);
      const line = failedLine(stack, project, path);
      const where = { ...(place && { place }), ...(line && { line }) };
      if (kind === "test") tests.push({ path: [name], status, message, nesting, ...where });
    }
  }
  return { tests };
}

/** Returns the line that names the error, from Node's report of an uncaught one. */
function errorOf(stderr: string): string {
  const lines = stderr.split("\n");
  return (lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.find(Boolean) ?? "").trim();
}

const schema = z.object({
  testResults: z.array(
    z.object({
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/**
 * Runs tests of a file with the project's own vitest. `path` is relative to the project. `pattern` matches
 * full names.
 */
export async function runWithVitest(
  path: string,
  options: TestOptions & { readonly pattern: string },
): Promise<FileResults> {
  const folder = mkdtempSync(join(options.env.TMPDIR ?? options.work, "exercise-"));
  try {
    const json = join(folder, "results.json");
    const diffsFile = join(folder, "diffs.json");
    const reporters = ["default", "json", vitestReporter].map((one) => `--reporter=${one}`);
    // A thread starts faster than a process, and a single file needs no more isolation.
    const args = ["run", path, "-t", options.pattern, "--pool=threads", ...reporters];
    const vitest = join(options.learner, "node_modules/.bin/vitest");
    const { status, output } = await runProgram(vitest, [...args, `--outputFile.json=${json}`], {
      cwd: options.learner,
      env: { ...options.env, [diffsVariable]: diffsFile },
      timeout: options.timeout,
      signal: options.signal,
    });
    const text = stripAnsi(output);
    if (status === undefined)
      return { tests: [], problem: `it did not end within ${options.timeout / 1000} s`, output: text };
    const { testResults } = schema.parse(JSON.parse(readFileSync(json, "utf8")));
    const diffs = (existsSync(diffsFile) ? JSON.parse(readFileSync(diffsFile, "utf8")) : {}) as Diffs;
    const tests = testResults.flatMap((file) =>
      file.assertionResults.map(({ ancestorTitles, title, status: state, failureMessages }) => {
        const titles = [...ancestorTitles, title];
        const [stack = ""] = failureMessages ?? [];
        const place = placeInStack(stripAnsi(stack), options.learner, path);
        const line = failedLine(stripAnsi(stack), options.learner, path);
        const diff = stripAnsi(diffs[titles.join(" > ")] ?? "").trim();
        const message = [withoutStack(stack), diff].filter(Boolean).join("\n");
        const where = { ...(place && { place }), ...(line && { line }) };
        return { path: titles, status: statusOf(state), message, ...where };
      }),
    );
    const messages = testResults.map(({ message }) => stripAnsi(message)).filter(Boolean);
    const [problem] =
      testResults.length === 0
        ? ["vitest does not find it: does `include` of its configuration match the file?"]
        : messages;
    return { tests, output: text, ...(problem !== undefined && { problem }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function statusOf(state: string): "passed" | "failed" | "skipped" {
  return state === "passed" || state === "failed" ? state : "skipped";
}

function withoutStack(message: string): string {
  const lines = stripAnsi(message).split("\n");
  const stack = lines.findIndex((line) => /^\s+at /.test(line));
  return (stack === -1 ? lines : lines.slice(0, stack)).join("\n").trimEnd();
}
