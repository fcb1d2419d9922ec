/**
 * `pnpm count-tests`: adds up the results that vitest left in every package of the workspace, prints them as
 * `<passed> <failed> <skipped>`, and names on stderr what failed.
 * A package without results is an error, because the sum would be wrong.
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
