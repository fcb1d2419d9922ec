// A reporter for vitest. It writes the diffs of failed tests, which vitest's JSON leaves out, into the file
// that the variable names.
import { writeFileSync } from "node:fs";

export const diffsVariable = "EXERCISE_DIFFS";

/** Full name of a failed test → its diff, which may have colours. */
export type Diffs = Record<string, string>;

/** The part of vitest's TestCase that is read. The learner's project has its own vitest. */
interface TestCase {
  readonly fullName: string;
  result(): { readonly errors?: readonly { readonly diff?: string }[] };
}

export default function createReporter() {
  const diffs: Diffs = {};
  return {
    onTestCaseResult(test: TestCase): void {
      const diff = test.result().errors?.[0]?.diff;
      if (diff !== undefined) diffs[test.fullName] = diff;
    },
    onTestRunEnd(): void {
      const file = process.env[diffsVariable];
      if (file !== undefined) writeFileSync(file, JSON.stringify(diffs));
    },
  };
}
