import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Folder, test and first line of the message of each failed test, and of each file that failed as a whole. */
  readonly failures: readonly string[];
}

interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults?: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
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
  const sum = { passed: 0, failed: 0, skipped: 0, failures: [] as string[] };
  for (const folder of manifests.map(dirname)) {
    for (const script of vitestScripts(join(root, folder))) {
      const results = readResults(root, folder, script);
      sum.passed += results.numPassedTests;
      sum.failed += results.numFailedTests;
      sum.skipped += results.numPendingTests + results.numTodoTests;
      sum.failures.push(...failuresOf(results).map((failure) => `${folder}: ${failure}`));
    }
  }
  return sum;
}

/** vitest counts the tests of a file whose hook failed as skipped, and the file as failed. */
function failuresOf({ testResults = [] }: Results): string[] {
  return testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === "failed");
      const tests = failed.map(
        ({ fullName, failureMessages: [first = ""] }) => `${fullName}: ${firstLine(first)}`,
      );
      return tests.length > 0 ? tests : [`${basename(name)}: ${firstLine(message)}`];
    });
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
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
