import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import stripAnsi from "strip-ansi";
import { z } from "zod";
import { runProgram } from "../run/run-program.ts";
import type { FileResults, TestOptions } from "./file-results.ts";

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

/** Runs tests of a file with the project's own vitest. `path` is relative to the project; `pattern` is of full names. */
export async function runWithVitest(
  path: string,
  o: TestOptions & { readonly pattern: string },
): Promise<FileResults> {
  const folder = mkdtempSync(join(o.env.TMPDIR ?? o.work, "exercise-"));
  try {
    const json = join(folder, "results.json");
    const args = ["run", path, "-t", o.pattern, "--reporter=default", "--reporter=json"];
    const vitest = join(o.learner, "node_modules/.bin/vitest");
    const { status, output } = await runProgram(vitest, [...args, `--outputFile.json=${json}`], {
      cwd: o.learner,
      env: o.env,
      timeout: o.timeout,
      signal: o.signal,
    });
    const said = stripAnsi(output);
    if (status === undefined)
      return { tests: [], problem: `it did not end within ${o.timeout / 1000} s`, output: said };
    const { testResults } = schema.parse(JSON.parse(readFileSync(json, "utf8")));
    const tests = testResults.flatMap((file) =>
      file.assertionResults.map(({ ancestorTitles, title, status: state, failureMessages }) => ({
        path: [...ancestorTitles, title],
        status: statusOf(state),
        message: withoutStack(failureMessages?.[0] ?? ""),
      })),
    );
    const messages = testResults.map(({ message }) => stripAnsi(message)).filter(Boolean);
    const [problem] =
      testResults.length === 0
        ? ["vitest does not find it: does `include` of its configuration have it?"]
        : messages;
    return { tests, output: said, ...(problem !== undefined && { problem }) };
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
