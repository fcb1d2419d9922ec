import { expect, test } from "vitest";
import { informerMutants } from "./informers.ts";
import { managerMutants } from "./managers.ts";
import { type MutantsOptions, runMutants, whyNot } from "./run-mutants.ts";

// `pnpm proof faults --mutants`, also with --managers, runs the other mutants, and each of them longer.

async function run(options: MutantsOptions): Promise<{ escaped: number; lines: string[] }> {
  const lines: string[] = [];
  return { escaped: await runMutants(options, (line) => lines.push(line)), lines };
}

test("each mutant's text occurs in its file once", async () => {
  const mutants = [...informerMutants, ...managerMutants];
  const problems = await Promise.all(mutants.map(async (mutant) => [mutant.name, await whyNot(mutant)]));
  expect(problems.filter(([, why]) => why !== undefined)).toEqual([]);
  expect(mutants.length).toBeGreaterThan(80);
});

test.each(["410 does not lead to a list", "are deleted without an event", "two workers on one key"])(
  "histories of informers catch: %s",
  async (only) => {
    const { escaped, lines } = await run({ mutants: informerMutants, kind: "informers", count: 60, only });
    expect(escaped).toBe(0);
    expect(lines.join("\n")).toMatch(/^✓ .*: caught by seed \d+/);
  },
);

test.each(["two workers on one key", "read your own writes is off"])(
  "histories of managers catch: %s",
  async (only) => {
    const { escaped, lines } = await run({ mutants: managerMutants, kind: "managers", count: 5, only });
    expect(escaped).toBe(0);
    expect(lines.join("\n")).toMatch(/^✓ .*: caught by seed \d+/);
  },
);

test("reports a mutant that changes nothing as a survivor", async () => {
  const { file = "", find = "" } = informerMutants[0] ?? {};
  const harmless = { name: "nothing is wrong", file, find, replace: find };
  const { escaped, lines } = await run({ mutants: [harmless], kind: "informers", count: 3 });
  expect(escaped).toBe(1);
  expect(lines).toEqual(["✗ nothing is wrong: survives 3 histories"]);
});
