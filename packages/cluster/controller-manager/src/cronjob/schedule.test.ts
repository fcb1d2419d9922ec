import { expect, test } from "vitest";
import { dueTime, formatIn, isTimeZone, parseSchedule } from "./schedule.ts";

function times(text: string, since: string, timeZone?: string): (string | undefined)[] {
  const schedule = parseSchedule(text, timeZone);
  const first = schedule.next(Date.parse(since));
  const second = first === undefined ? undefined : schedule.next(first);
  return [first, second].map((time) =>
    time === undefined ? undefined : new Date(time).toISOString().slice(0, 16),
  );
}

test("parses cron schedules and their shorthands", () => {
  expect(times("*/5 * * * *", "2026-11-21T09:05:00Z")).toEqual(["2026-11-21T09:10", "2026-11-21T09:15"]);
  expect(times("0 0 13 * 5", "2026-11-01T00:00:00Z")).toEqual(["2026-11-06T00:00", "2026-11-13T00:00"]);
  expect(times("0 9 * * mon-fri", "2026-11-20T10:00:00Z")).toEqual(["2026-11-23T09:00", "2026-11-24T09:00"]);
  expect(times("@midnight", "2026-11-21T09:00:00Z")).toEqual(["2026-11-22T00:00", "2026-11-23T00:00"]);
  expect(times("@every 1h30m", "2026-11-21T09:00:00Z")).toEqual(["2026-11-21T10:30", "2026-11-21T12:00"]);
  expect(times("@every 1.5h", "2026-11-21T09:00:00Z")).toEqual(["2026-11-21T10:30", "2026-11-21T12:00"]);
  expect(times("0 0 31 2 *", "2026-11-21T09:00:00Z")).toEqual([undefined, undefined]);
});

test("schedules follow their time zone through summer and winter", () => {
  expect(times("0 9 * * *", "2026-10-24T10:00:00Z", "Europe/Berlin")).toEqual([
    "2026-10-25T08:00",
    "2026-10-26T08:00",
  ]);
  expect(times("0 9 * * *", "2026-07-01T10:00:00Z", "Europe/Berlin")[0]).toBe("2026-07-02T07:00");
  expect(formatIn(Date.parse("2026-07-02T07:00:00Z"), "Europe/Berlin")).toBe("2026-07-02T09:00:00+02:00");
  expect(formatIn(Date.parse("2026-07-02T07:00:00Z"))).toBe("2026-07-02T07:00:00Z");
  expect(isTimeZone("Europe/Berlin")).toBe(true);
  expect(isTimeZone("Mars/Olympus")).toBe(false);
});

test("rejects invalid schedules with the reason", () => {
  for (const text of ["", "* * * *", "61 * * * *", "@sometimes", "@every soon", "* * * * * *"]) {
    expect(() => parseSchedule(text), text).toThrow();
  }
});

test("finds the last missed time, and reports when too many were missed", () => {
  const schedule = parseSchedule("*/10 * * * *");
  const spec = { schedule: "*/10 * * * *", jobTemplate: {} };
  const cronJob = (more: object) => ({
    spec,
    metadata: { creationTimestamp: "2026-11-21T09:03:00Z" },
    ...more,
  });
  const due = (now: string, more = {}) => {
    const { time, missedMany } = dueTime(cronJob(more), schedule, Date.parse(now));
    return [time === undefined ? undefined : new Date(time).toISOString().slice(11, 16), missedMany];
  };
  expect(due("2026-11-21T09:09:59Z")).toEqual([undefined, false]);
  expect(due("2026-11-21T09:10:00Z")).toEqual(["09:10", false]);
  expect(due("2026-11-21T09:35:00Z")).toEqual(["09:30", false]);
  expect(due("2026-11-21T09:35:00Z", { status: { lastScheduleTime: "2026-11-21T09:30:00Z" } })).toEqual([
    undefined,
    false,
  ]);
  expect(due("2026-11-25T09:35:00Z")).toEqual(["09:30", true]);
});
