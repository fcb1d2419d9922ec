import type { Job } from "@operator-path/client";
import { timestamp } from "../objects.ts";

export type JobStatus = NonNullable<Job["status"]>;
export type JobCondition = NonNullable<JobStatus["conditions"]>[number];

export function newCondition(
  type: string,
  reason: string,
  message: string,
  now: number,
  status = "True",
): JobCondition {
  const time = timestamp(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

export function findCondition(status: JobStatus | undefined, type: string): JobCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type && condition.status === "True");
}

export function isFinished({ status }: Job): boolean {
  return findCondition(status, "Complete") !== undefined || findCondition(status, "Failed") !== undefined;
}

/** Notes that a Job is suspended, or no longer is. @returns whether that is news */
export function noteSuspension(status: JobStatus, isSuspended: boolean, now: number): boolean {
  const existing = status.conditions?.find(({ type }) => type === "Suspended");
  const wanted = isSuspended ? "True" : "False";
  if (existing === undefined ? !isSuspended : existing.status === wanted) return false;
  const condition = isSuspended
    ? newCondition("Suspended", "JobSuspended", "Job suspended", now)
    : newCondition("Suspended", "JobResumed", "Job resumed", now, "False");
  status.conditions = [...(status.conditions ?? []).filter(({ type }) => type !== "Suspended"), condition];
  return true;
}
