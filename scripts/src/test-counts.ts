import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

/** The sum over every package below `root` whose `test` script is vitest. Throws naming one without results. */
export function countTests(root: string): TestCounts {
  const manifests = globSync(
    ["packages/*/*/package.json", "tutorials/*/package.json", "scripts/package.json"],
    {
      cwd: root,
    },
  );
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const folder of manifests.map(dirname).filter((folder) => usesVitest(join(root, folder)))) {
    const results = readResults(join(root, folder, "node_modules/.vitest/results.json"), folder);
    sum.passed += results.numPassedTests;
    sum.failed += results.numFailedTests;
    sum.skipped += results.numPendingTests + results.numTodoTests;
  }
  return sum;
}

function usesVitest(folder: string): boolean {
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    scripts?: Record<string, string>;
  };
  return scripts?.test?.startsWith("vitest") ?? false;
}

function readResults(file: string, folder: string): Results {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Results;
  } catch {
    throw new Error(`${folder} has no test results: run \`pnpm test\` first`);
  }
}
