import { expect, test } from "vitest";
import { drawElection } from "./draw-election.ts";
import { runElection } from "./run-election.ts";

// .ci/run runs more of them: pnpm proof faults --elections.
test("in twenty elections at most one candidate acts, one leads in the end, and each gives the Lease back", async () => {
  const failures: string[] = [];
  let acts = 0;
  let changes = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const { problems, counts } = await runElection(drawElection(seed));
    failures.push(...problems.map((problem) => `pnpm proof faults --elections --seed ${seed}: ${problem}`));
    acts += counts.acts ?? 0;
    changes += counts.changes ?? 0;
  }
  expect(failures).toEqual([]);
  expect(acts).toBeGreaterThan(2_000);
  expect(changes).toBeGreaterThan(30);
});
