import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { pathBelow } from "../files/tree.ts";
import type { ExerciseBlock } from "../page/page.ts";
import { PageFailure } from "../run/failure.ts";
import {
  type ChangedKey,
  type ComparedValues,
  comparedIn,
  type FailurePlaces,
  firstChange,
} from "./failure-place.ts";
import { isLoadError, runWithNode } from "./runners.ts";
import type { FileResults, TestOptions } from "./test-run.ts";

/** The result of one test that an exercise names. */
export interface TestResult extends FailurePlaces {
  readonly name: string;
  /** Path on the page. */
  readonly file: string;
  /** `broken`: the test did not run, or failed for another reason than what it tests. */
  readonly status: "passed" | "failed" | "broken";
  /** Empty for a passed test. */
  readonly message: string;
  /** The first key in which the result differs. Undefined if no diff shows one. */
  readonly changed?: ChangedKey;
  /** What the test compares, if no key of it differs. */
  readonly values?: ComparedValues;
}

/**
 * Runs only the tests that an exercise names, with the runner that their files import. Throws PageFailure.
 */
export async function runTests(block: ExerciseBlock, options: TestOptions): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const file of new Set(block.tests.map((test) => test.file))) {
    const names = block.tests.filter((test) => test.file === file).map(({ name }) => name);
    const found = await runFile(block, file, names, options);
    results.push(...names.map((name) => ({ name, file, ...resultOf(name, found) })));
  }
  return results;
}

async function runFile(
  block: ExerciseBlock,
  file: string,
  names: readonly string[],
  options: TestOptions,
): Promise<FileResults> {
  const path = relative(options.learner, pathBelow(options.work, file));
  if (path.startsWith("..")) throw new PageFailure(block.line, `the test ${file} is not in the project`);
  const patterns = names.map(patternOf);
  const results = await runTestFile(path, options, `^(.* )?(${patterns.join("|")})$`);
  if (results) return results;
  const wayOut = "the page must install the project's packages before the exercise (`$ pnpm install`)";
  throw new PageFailure(block.line, `${file} cannot be run without vitest: ${wayOut}`);
}

/**
 * Runs the tests of a file with the runner that it imports. Resolves to undefined if the project has not
 * installed that runner.
 *
 * @param path relative to the project
 * @param pattern matches the full names of the tests to run. Default: all
 */
export async function runTestFile(
  path: string,
  options: TestOptions,
  pattern = ".*",
): Promise<FileResults | undefined> {
  const text = readFileSync(pathBelow(options.learner, path), "utf8");
  if (/from\s+["']node:test["']/.test(text)) return runWithNode(path, { ...options, pattern });
  if (!existsSync(pathBelow(options.learner, "node_modules/.bin/vitest"))) return undefined;
  return options.vitest.run(path, { ...options, pattern });
}

/** Returns a pattern for a full name. Node joins titles by a space, vitest by " > ". */
function patternOf(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(" > ", "( | > )");
}

function resultOf(name: string, found: FileResults): Omit<TestResult, "name" | "file"> {
  const titles = (path: readonly string[]): string[] => [path.at(-1) ?? "", path.join(" > "), path.join(" ")];
  const same = found.tests.filter(({ path }) => titles(path).includes(name));
  const [test] = same;
  const broken = (message: string) => ({ status: "broken" as const, message });
  if (!test && found.problem !== undefined) return broken(`the file does not run: ${found.problem}`);
  if (!test) {
    const known = found.tests.map(({ path }) => path.join(" > ")).join(", ");
    return broken(`there is no such test${known && `; there are: ${known}`}`);
  }
  if (same.length > 1)
    return broken("several tests have this name: put the name of the `describe` before it, as in `a > b`");
  if (test.status === "skipped")
    return broken(`it did not run: ${test.message || found.problem || tail(found.output)}`);
  if (test.status === "failed" && isLoadError(test.message))
    return broken(`it fails because a module does not load: ${test.message}`);
  const { status, message, place, line } = test;
  const changed = firstChange(message);
  const values = changed ? undefined : comparedIn(message);
  return {
    ...{ status, message },
    ...(place && { place }),
    ...(changed && { changed }),
    ...(values && { values }),
    ...(line && { line }),
  };
}

function tail(output: string): string {
  return output.trimEnd().split("\n").slice(-20).join("\n");
}
