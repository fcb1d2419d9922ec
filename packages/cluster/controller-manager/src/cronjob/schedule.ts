import { type CronJob, DurationError, parseDuration } from "@operator-path/client";
import { Cron } from "croner";

/** The times of a CronJob, in milliseconds since the epoch. Undefined means never again. */
export interface Schedule {
  /** The first time after `since`. */
  next(since: number): number | undefined;
}

const shorthands = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);

/**
 * Parses spec.schedule: five fields, a shorthand such as @daily, or @every with a duration. If both day of
 * month and day of week are given, either one may match. When clocks go forward over a scheduled time, the
 * Job runs once the skipped hour has passed. Go skips that run.
 *
 * @param timeZone an IANA name. Default: UTC, the zone of this kube-controller-manager
 * @throws Error that says what is wrong with the schedule
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

/** Whether this machine knows the time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Formats a time in RFC 3339 with the zone's offset: 2026-11-21T09:00:00+01:00. */
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

/** Parses a duration such as "1h30m" to milliseconds, at least 1000. */
function interval(text: string): number {
  try {
    return Math.max(1000, parseDuration(text));
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new Error(`failed to parse duration @every ${text}: ${error.message}`);
  }
}

interface Due {
  /** The last scheduled time without a Job, in milliseconds since the epoch. */
  time?: number;
  /** More than a hundred times were missed: the clock is wrong, or the controller did not run. */
  missedMany: boolean;
}

/**
 * Finds the last scheduled time that has no Job yet. Earlier missed times are skipped.
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
  // Jumps ahead instead of stepping through what may be millions of times.
  let time = first;
  let next = schedule.next(Math.max(first, first + (missed - 2) * (second - first)) - 1);
  while (next !== undefined && next <= now) {
    time = next;
    next = schedule.next(next);
  }
  return { time, missedMany: missed > 100 };
}
