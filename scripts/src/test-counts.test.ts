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

async function add(folder: string, test: string, results?: Record<string, number>): Promise<void> {
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
  expect(countTests(root)).toEqual({ passed: 6, failed: 2, skipped: 6 });
});

it("names a package whose tests have left no results", async () => {
  await add("packages/sdk/client", "vitest run");
  expect(() => countTests(root)).toThrow("packages/sdk/client has no test results");
});
