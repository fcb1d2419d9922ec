import { expect, test } from "vitest";
import { runElections } from "./command.ts";

test("forty elections: never two that act, one in the end, and nobody keeps the Lease", async () => {
  const failures: string[] = [];
  const summary = await runElections({ from: 1, count: 40 }, (line) => failures.push(line));
  expect(failures).toEqual([]);
  expect(summary.acts).toBeGreaterThan(4_000);
  expect(summary.changes).toBeGreaterThan(60);
});
