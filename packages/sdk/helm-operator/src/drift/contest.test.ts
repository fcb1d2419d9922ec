import fc from "fast-check";
import { expect, it } from "vitest";
import { createContest } from "./contest.ts";

const hour = 3_600_000;

/** Simulates a writer that sets some fields again after each repair. @returns when each repair was made */
function fight(until: number, delayOf: (round: number) => number, fieldsOf: (round: number) => string[]) {
  const contest = createContest();
  const repairs: number[] = [];
  const pauses: number[] = [];
  let now = 0;
  for (let round = 0; now < until && round < 1_000; round++) {
    const fields = fieldsOf(round);
    for (;;) {
      const pause = contest.differs(fields, now);
      if (!pause) break;
      if (pause.isNew) pauses.push(pause.milliseconds);
      now = contest.firstUntil(now);
    }
    repairs.push(now);
    contest.repaired(fields, now);
    now += delayOf(round);
  }
  return { repairs, pauses };
}

it("pauses from the third time on, for one second up to ten minutes", () => {
  const { repairs, pauses } = fight(
    2 * hour,
    () => 0,
    () => ["a"],
  );
  const seconds = pauses.map((pause) => pause / 1_000);
  expect(seconds.slice(0, 11)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600]);
  expect(new Set(seconds.slice(11))).toEqual(new Set([600]));
  expect(repairs.slice(0, 3)).toEqual([0, 0, 1_000]);
});

it("makes few repairs, however quickly and in whatever order another writer sets fields", () => {
  const delays = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 9 });
  const fields = fc.subarray(["a", "b", "c"], { minLength: 1 });
  fc.assert(
    fc.property(delays, fc.array(fields, { minLength: 1, maxLength: 7 }), (delays, fields) => {
      const { repairs } = fight(
        6 * hour,
        (round) => delays[round % delays.length] ?? 0,
        (round) => fields[round % fields.length] ?? [],
      );
      // Eleven repairs of each field until its pauses take ten minutes, and then one in ten minutes.
      expect(repairs.length).toBeLessThanOrEqual(3 * (12 + 36));
    }),
    { numRuns: 300 },
  );
});

it("does not pause for a writer that returns after half a minute, and forgets earlier pauses", () => {
  expect(
    fight(
      hour,
      () => 30_001,
      () => ["a"],
    ).pauses,
  ).toEqual([]);
  const contest = createContest();
  for (const now of [0, 10, 20]) contest.repaired(["a"], now);
  expect(contest.differs(["a"], 30)).toEqual({ milliseconds: 2_000, isNew: true });
  expect(contest.differs(["a"], 1_030)).toEqual({ milliseconds: 1_000, isNew: false });
  contest.settled();
  expect(contest.firstUntil(1_030)).toBe(Number.POSITIVE_INFINITY);
  expect(contest.differs(["a"], 30_021)).toBeUndefined();
});

it("repairs an uncontested field at once, together with contested ones", () => {
  const contest = createContest();
  for (const now of [0, 10]) contest.repaired(["a"], now);
  expect(contest.differs(["a"], 20)).toEqual({ milliseconds: 1_000, isNew: true });
  expect(contest.differs(["a", "b"], 30)).toBeUndefined();
});
