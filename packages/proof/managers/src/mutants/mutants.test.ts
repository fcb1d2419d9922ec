import { whyNot } from "@operator-path/faults";
import { expect, test } from "vitest";
import { mutants } from "./mutants.ts";
import { program, runMutants } from "./run-mutants.ts";

test("each mutant can be made: its text stands in its file once", async () => {
  const wrong = await Promise.all(
    mutants.map(async (mutant) => [mutant.name, await whyNot(mutant, program)]),
  );
  expect(wrong.filter(([, why]) => why !== undefined)).toEqual([]);
  expect(mutants.length).toBeGreaterThanOrEqual(15);
});

// The others, and more histories for each: pnpm proof faults --managers --mutants.
test.each(["two workers on one key", "read your own writes is off"])("caught: %s", async (only) => {
  const lines: string[] = [];
  expect(await runMutants({ count: 5, only }, (line) => lines.push(line))).toBe(0);
  expect(lines.join("\n")).toMatch(/^✓ .*: caught by seed \d+/);
});
