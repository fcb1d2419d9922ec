import type { Deployment } from "@operator-path/client";
import { desiredReplicas } from "../replicas.ts";

/** How far a rollout may go above and below the desired number of replicas. */
export interface Fenceposts {
  /** Pods that may exist above spec.replicas. */
  maxSurge: number;
  /** Pods that may be unavailable below spec.replicas. */
  maxUnavailable: number;
}

/**
 * Resolves spec.strategy.rollingUpdate for the current number of replicas: percentages of maxSurge are rounded up, those
 * of maxUnavailable down, so that 25 % of one replica still makes progress (surge 1, unavailable 0).
 * Both can round to 0, although validation refuses to let a user write that: then one Pod may be unavailable.
 * A Recreate Deployment has neither.
 */
export function fenceposts(deployment: Deployment): Fenceposts {
  const strategy = deployment.spec?.strategy;
  if (strategy?.type === "Recreate") return { maxSurge: 0, maxUnavailable: 0 };
  const replicas = desiredReplicas(deployment);
  const maxSurge = scaled(strategy?.rollingUpdate?.maxSurge ?? "25%", replicas, Math.ceil);
  const maxUnavailable = scaled(strategy?.rollingUpdate?.maxUnavailable ?? "25%", replicas, Math.floor);
  if (maxSurge === 0 && maxUnavailable === 0) return { maxSurge, maxUnavailable: Math.min(1, replicas) };
  return { maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
}

/** An IntOrString as a number of replicas: 3 is 3, "25%" is a share of `total`. Throws on anything else. */
function scaled(value: number | string, total: number, round: (share: number) => number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined)
    throw new Error(`invalid value for IntOrString: invalid type: string is not a percentage: ${value}`);
  return round((Number(percent) * total) / 100);
}
