import { type CronJob, DurationError, parseDuration } from "@operator-path/client";
import { Cron } from "croner";

/** When a CronJob is due: milliseconds since the epoch, undefined when never again. */
export interface Schedule {
  /** The first time after `since`. */
  next(since: number): number | undefined;
}

const shorthands = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);

/**
 * Reads spec.schedule: five fields, a shorthand such as @daily, or @every with a duration. Day of month and day of week,
 * where both are given, are alternatives. Where the clock is put forward over a time that is due, the Job is due when the
 * hour has passed; Go leaves it out.
 *
 * @param timeZone IANA name, default UTC: that is where this kube-controller-manager lives.
 * @throws Error that says what is wrong with it
 */
export function parseSchedule(text: string, timeZone = "UTC"): Schedule {
  const every = /^@every\s+(.+)$/.exec(text);
  if (every !== null) return everySchedule(interval(every[1] as string));
  if (text.startsWith("@") && !shorthands.has(text)) throw new Error(`unrecognized descriptor: ${text}`);
  const pattern = text === "@midnight" ? "@daily" : text;
  const fields = pattern.split(/\s+/).length;
  if (!pattern.startsWith("@") && fields !== 5) {
    throw new Error(`expected exactly 5 fields, found ${fields}: [${pattern.split(/\s+/).join(" ")}]`);
  }
  const cron = new Cron(pattern, { timezone: timeZone, domAndDow: false });
  return { next: (since) => cron.nextRun(new Date(since))?.getTime() };
}

/** Whether the time zone is one that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** An RFC 3339 time as a clock in that zone shows it: 2026-11-21T09:00:00+01:00. */
export function formatIn(time: number, timeZone = "UTC"): string {
  const part = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
    .formatToParts(time)
    .find(({ type }) => type === "timeZoneName");
  const offset = /([+-])(\d\d):(\d\d)/.exec(part?.value ?? "");
  if (offset === null || offset[0].endsWith("00:00")) return `${new Date(time).toISOString().slice(0, 19)}Z`;
  const minutes = Number(`${offset[1]}1`) * (Number(offset[2]) * 60 + Number(offset[3]));
  return `${new Date(time + minutes * 60_000).toISOString().slice(0, 19)}${offset[0]}`;
}

function everySchedule(ms: number): Schedule {
  return { next: (since) => Math.floor((since + ms) / 1000) * 1000 };
}

/** "1h30m" in milliseconds, at least a second. */
function interval(text: string): number {
  try {
    return Math.max(1000, parseDuration(text));
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new Error(`failed to parse duration @every ${text}: ${error.message}`);
  }
}

interface Due {
  /** The last time that was due and has not been served; milliseconds since the epoch. */
  time?: number;
  /** More than a hundred were missed: the clock is wrong, or nobody was there. */
  missedMany: boolean;
}

/**
 * The last time that a CronJob was due and has not been started for. Earlier ones are skipped, whatever they were.
 * (pkg/controller/cronjob: mostRecentScheduleTime.)
 */
export function dueTime(cronJob: CronJob, schedule: Schedule, now: number): Due {
  const { startingDeadlineSeconds } = cronJob.spec ?? {};
  const known = Date.parse(cronJob.status?.lastScheduleTime ?? cronJob.metadata?.creationTimestamp ?? "");
  const horizon = startingDeadlineSeconds === undefined ? known : now - startingDeadlineSeconds * 1000;
  const first = schedule.next(Math.max(known, horizon));
  if (first === undefined || first > now) return { missedMany: false };
  const second = schedule.next(first);
  if (second === undefined || second > now) return { time: first, missedMany: false };
  const missed = Math.floor((now - first) / (second - first)) + 1;
  // Not one after the other: there may be millions of them.
  let time = first;
  let next = schedule.next(Math.max(first, first + (missed - 2) * (second - first)) - 1);
  while (next !== undefined && next <= now) {
    time = next;
    next = schedule.next(next);
  }
  return { time, missedMany: missed > 100 };
}
