import type { CronJob } from "@operator-path/client";
import type { Schedule } from "./schedule.ts";

export interface Due {
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
