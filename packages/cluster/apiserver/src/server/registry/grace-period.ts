import { timestamp } from "../../lib/clock.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import type { DeleteOptions } from "../endpoints/delete-options.ts";
import type { Strategy } from "./strategy.ts";

/**
 * Writes the end of the grace period into a draft (rest.BeforeDelete of k8s.io/apiserver).
 * @param now milliseconds since the epoch
 * @returns `waiting` when it has written a deadline, `pending` when an earlier deletion wrote it, and `none`
 *   when there is no grace period or it is over
 */
export function applyGracePeriod(
  strategy: Strategy,
  draft: ApiObject,
  options: DeleteOptions,
  now: number,
): "waiting" | "pending" | "none" {
  const { metadata } = draft;
  if (strategy.gracePeriod === undefined) return "none";
  const requested =
    options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0
      ? 1
      : options.gracePeriodSeconds;
  if (metadata.deletionTimestamp !== undefined) {
    const left = metadata.deletionGracePeriodSeconds ?? 0;
    if (left === 0) return "none";
    // The period can only become shorter.
    if (requested === undefined || requested >= left) return "pending";
    shortenGracePeriod(metadata as Deadline, left, requested, now);
    return requested === 0 ? "none" : "waiting";
  }
  const period = strategy.gracePeriod(draft, requested);
  if (period === undefined) return "none";
  if (metadata.generation !== undefined) metadata.generation += 1;
  metadata.deletionTimestamp = timestamp(now + period * 1000);
  metadata.deletionGracePeriodSeconds = period;
  return period === 0 ? "none" : "waiting";
}

interface Deadline {
  deletionTimestamp: string;
  deletionGracePeriodSeconds: number;
}

function shortenGracePeriod(deadline: Deadline, left: number, requested: number, now: number): void {
  const moved = Date.parse(deadline.deletionTimestamp) - left * 1000 + requested * 1000;
  deadline.deletionTimestamp = timestamp(Math.max(moved, now));
  // The new deadline has passed. One second remains, so that the kubelet still ends the Pod.
  deadline.deletionGracePeriodSeconds = moved < now && requested !== 0 ? 1 : requested;
}
