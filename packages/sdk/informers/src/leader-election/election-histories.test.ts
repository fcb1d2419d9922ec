import fc from "fast-check";
import { expect, test } from "vitest";
import { type ElectionHistory, type Fault, runElection } from "./testing/election-world.ts";

const who = fc.nat(2);
const at = fc.integer({ min: 0, max: 100_000 });
const lasting = fc.integer({ min: 500, max: 40_000 });
const faults: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    what: fc.constantFrom("blocked", "asleep", "cut off", "deaf", "slow", "refused"),
    who,
    at,
    for: lasting,
  }),
  fc.record({
    what: fc.constant("clock set" as const),
    who,
    at,
    by: fc.integer({ min: -3_600_000, max: 3_600_000 }),
  }),
  fc.record({ what: fc.constant("stopped" as const), who, at }),
);

// leaseDuration / renewDeadline is 1.5. The speeds of two clocks may differ by less than that.
const candidate = fc.record({
  rate: fc.double({ min: 0.85, max: 1.2, noNaN: true }),
  offset: fc.integer({ min: -86_400_000, max: 86_400_000 }),
  ending: fc.constantFrom(0, 0, 300, 3_000),
});

const history: fc.Arbitrary<ElectionHistory> = fc.record({
  seed: fc.integer(),
  candidates: fc.array(candidate, { minLength: 2, maxLength: 3 }),
  faults: fc.array(faults, { minLength: 1, maxLength: 12 }),
});

test("never has two leaders under faults of clocks, processes and network, and ends with one", async () => {
  let acts = 0;
  await fc.assert(
    fc.asyncProperty(history, async (each) => {
      const result = await runElection(each);
      acts += result.acts;
      expect(result.problems).toEqual([]);
    }),
    { numRuns: Number(process.env.ELECTION_HISTORIES ?? 60), endOnFailure: false },
  );
  expect(acts).toBeGreaterThan(1_000);
}, 600_000);
