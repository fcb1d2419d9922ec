import { timestamp } from "../clock.ts";
import type { ApiObject } from "../json.ts";
import type { ResourceType } from "../types/resource-type.ts";
import type { ApiContext } from "./context.ts";
import type { DeleteOptions } from "./delete-options.ts";
import { strategyOf } from "./kinds/strategies.ts";

/**
 * `waiting`: the draft now says until when the object has time. `pending`: it says so already. `none`: it has no time
 * (left).
 */
export function applyGracePeriod(
  context: ApiContext,
  type: ResourceType,
  draft: ApiObject,
  options: DeleteOptions,
): "waiting" | "pending" | "none" {
  const { metadata } = draft;
  const strategy = strategyOf(type);
  if (strategy.gracePeriod === undefined) return "none";
  const asked =
    options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0
      ? 1
      : options.gracePeriodSeconds;
  if (metadata.deletionTimestamp !== undefined) {
    const left = metadata.deletionGracePeriodSeconds ?? 0;
    if (left === 0) return "none";
    // The period can only become shorter.
    if (asked === undefined || asked >= left) return "pending";
    shortenGracePeriod(context, metadata as Deadline, left, asked);
    return asked === 0 ? "none" : "waiting";
  }
  const period = strategy.gracePeriod(draft, asked);
  if (period === undefined) return "none";
  if (metadata.generation !== undefined) metadata.generation += 1;
  metadata.deletionTimestamp = timestamp(context.clock.now() + period * 1000);
  metadata.deletionGracePeriodSeconds = period;
  return period === 0 ? "none" : "waiting";
}

interface Deadline {
  deletionTimestamp: string;
  deletionGracePeriodSeconds: number;
}

function shortenGracePeriod(context: ApiContext, deadline: Deadline, left: number, asked: number): void {
  const moved = Date.parse(deadline.deletionTimestamp) - left * 1000 + asked * 1000;
  const now = context.clock.now();
  deadline.deletionTimestamp = timestamp(Math.max(moved, now));
  // The new deadline has passed: one second, so that it is still the kubelet that ends the Pod.
  deadline.deletionGracePeriodSeconds = moved < now && asked !== 0 ? 1 : asked;
}
