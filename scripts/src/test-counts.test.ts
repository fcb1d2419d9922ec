import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { countTests } from "./test-counts.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "count-"));
});
afterEach(() => rm(root, { recursive: true }));

async function add(folder: string, test: string, results?: Record<string, unknown>): Promise<void> {
  await mkdir(join(root, folder, "node_modules/.vitest"), { recursive: true });
  await writeFile(join(root, folder, "package.json"), JSON.stringify({ scripts: { test } }));
  if (results)
    await writeFile(join(root, folder, "node_modules/.vitest/results.json"), JSON.stringify(results));
}

it("sums up every vitest package, and leaves others alone", async () => {
  const results = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
  await add("packages/sdk/client", "vitest run", results);
  await add("scripts", "vitest run", results);
  await add("tutorials/one", "tsx --test");
  expect(countTests(root)).toEqual({ passed: 6, failed: 2, skipped: 6, failures: [] });
});

it("counts the slow tests of those that have some, and misses none", async () => {
  const results = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
  await add("scripts", "vitest run", results);
  const folder = join(root, "scripts");
  const scripts = { test: "vitest run", "test:slow": "SLOW=1 vitest run" };
  await writeFile(join(folder, "package.json"), JSON.stringify({ scripts }));
  expect(() => countTests(root)).toThrow("scripts has no test results: run `pnpm test:slow` first");
  await writeFile(join(folder, "node_modules/.vitest/slow.json"), JSON.stringify(results));
  expect(countTests(root)).toEqual({ passed: 6, failed: 0, skipped: 0, failures: [] });
});

it("names failed tests, and files in which a hook failed", async () => {
  const test = (status: string, ...failureMessages: string[]) => ({
    ...{ status, fullName: `a Pod ${status}`, failureMessages },
  });
  await add("packages/sdk/client", "vitest run", {
    ...{ numPassedTests: 1, numFailedTests: 1, numPendingTests: 1, numTodoTests: 0 },
    testResults: [
      {
        ...{ name: "/at/pod.test.ts", status: "failed", message: "" },
        assertionResults: [
          test("passed"),
          test("failed", "AssertionError: expected 1\n    at pod.test.ts:3"),
        ],
      },
      {
        ...{ name: "/at/node.test.ts", status: "failed", message: "Hook timed out\n    at node.test.ts:1" },
        assertionResults: [test("skipped")],
      },
    ],
  });
  expect(countTests(root).failures).toEqual([
    "packages/sdk/client: a Pod failed: AssertionError: expected 1",
    "packages/sdk/client: node.test.ts: Hook timed out",
  ]);
});

it("names a package whose tests have left no results", async () => {
  await add("packages/sdk/client", "vitest run");
  expect(() => countTests(root)).toThrow("packages/sdk/client has no test results");
});
