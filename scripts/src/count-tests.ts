/**
 * `pnpm count-tests`: sums up what vitest left in every package of the workspace, as `<passed> <failed> <skipped>`,
 * and names on stderr what failed.
 * A package whose tests have left nothing is an error: the sum would claim less, or more, than was run.
 */
import { join } from "node:path";
import { countTests } from "./test-counts.ts";

const root = join(import.meta.dirname, "..", "..");
try {
  const { passed, failed, skipped, failures } = countTests(root);
  for (const failure of failures) console.error(failure);
  console.log(`${passed} ${failed} ${skipped}`);
} catch (error) {
  console.error(`error: ${(error as Error).message}`);
  process.exitCode = 1;
}
