import { expect, test } from "vitest";
import { mutants } from "./mutants.ts";
import { runMutants, whyNot } from "./run-mutants.ts";

test("each mutant can be made: its text stands in its file once", async () => {
  const wrong = await Promise.all(mutants.map(async (mutant) => [mutant.name, await whyNot(mutant)]));
  expect(wrong.filter(([, why]) => why !== undefined)).toEqual([]);
});

// The others, and more histories for each: pnpm proof faults --mutants.
test.each(["410 does not lead to a list", "goes without a word", "two workers on one key"])(
  "caught: %s",
  async (only) => {
    const lines: string[] = [];
    expect(await runMutants({ count: 60, only }, (line) => lines.push(line))).toBe(0);
    expect(lines.join("\n")).toMatch(/^✓ .*: caught by seed \d+/);
  },
);

test("a mistake that is none escapes, and the command says so", async () => {
  const { file, find } = mutants[0] ?? { file: "", find: "" };
  const harmless = { name: "nothing is wrong", file, find, replace: find };
  const lines: string[] = [];
  expect(await runMutants({ count: 3, among: [harmless] }, (line) => lines.push(line))).toBe(1);
  expect(lines).toEqual(["✗ nothing is wrong: survives 3 histories"]);
});
