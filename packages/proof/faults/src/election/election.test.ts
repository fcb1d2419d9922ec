import { expect, test } from "vitest";
import { runElections } from "./command.ts";

// More of them, in .ci/run too: pnpm proof faults --elections.
test("twenty elections: never two that act, one in the end, and nobody keeps the Lease", async () => {
  const failures: string[] = [];
  const summary = await runElections({ from: 1, count: 20 }, (line) => failures.push(line));
  expect(failures).toEqual([]);
  expect(summary.acts).toBeGreaterThan(2_000);
  expect(summary.changes).toBeGreaterThan(30);
});
