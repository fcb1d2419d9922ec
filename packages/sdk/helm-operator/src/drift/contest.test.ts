import fc from "fast-check";
import { expect, it } from "vitest";
import { createContest } from "./contest.ts";

const hour = 3_600_000;

/** Another writer who sets some of the fields so long after each repair. @returns when each was repaired */
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

it("pauses from the third time on, from a second to ten minutes", () => {
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

it("of another writer, however quick, and whatever fields in whatever order, there are few repairs", () => {
  const delays = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 9 });
  const fields = fc.subarray(["a", "b", "c"], { minLength: 1 });
  fc.assert(
    fc.property(delays, fc.array(fields, { minLength: 1, maxLength: 7 }), (delays, fields) => {
      const { repairs } = fight(
        6 * hour,
        (round) => delays[round % delays.length] ?? 0,
        (round) => fields[round % fields.length] ?? [],
      );
      // Of each field eleven until its pauses are ten minutes long, and then one in ten minutes.
      expect(repairs.length).toBeLessThanOrEqual(3 * (12 + 36));
    }),
    { numRuns: 300 },
  );
});

it("who comes back after half a minute is not waited for; what had pauses has none then", () => {
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

it("what nobody contests does not wait for what somebody does", () => {
  const contest = createContest();
  for (const now of [0, 10]) contest.repaired(["a"], now);
  expect(contest.differs(["a"], 20)).toEqual({ milliseconds: 1_000, isNew: true });
  expect(contest.differs(["a", "b"], 30)).toBeUndefined();
});
