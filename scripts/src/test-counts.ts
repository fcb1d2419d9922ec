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

/**
 * Adds up the test counts of every package below `root` that runs vitest in `test` or `test:slow`. Throws for a package
 * without results.
 */
export function countTests(root: string): TestCounts {
  const manifests = globSync(
    ["packages/*/*/package.json", "tutorials/*/package.json", "scripts/package.json"],
    {
      cwd: root,
    },
  );
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const folder of manifests.map(dirname)) {
    for (const script of vitestScripts(join(root, folder))) {
      const results = readResults(root, folder, script);
      sum.passed += results.numPassedTests;
      sum.failed += results.numFailedTests;
      sum.skipped += results.numPendingTests + results.numTodoTests;
    }
  }
  return sum;
}

/** Where vitest.shared.ts lets each script leave its results. */
const files = { test: "results.json", "test:slow": "slow.json" } as const;
type Script = keyof typeof files;

function vitestScripts(folder: string): Script[] {
  const { scripts = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    scripts?: Record<string, string>;
  };
  return (Object.keys(files) as Script[]).filter((script) => /^(SLOW=1 )?vitest/.test(scripts[script] ?? ""));
}

function readResults(root: string, folder: string, script: Script): Results {
  try {
    const file = join(root, folder, "node_modules/.vitest", files[script]);
    return JSON.parse(readFileSync(file, "utf8")) as Results;
  } catch {
    throw new Error(`${folder} has no test results: run \`pnpm ${script}\` first`);
  }
}
