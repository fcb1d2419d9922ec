import type { Deployment } from "@operator-path/client";
import { scaledValue } from "../int-or-percent.ts";
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
  const maxSurge = scaledValue(strategy?.rollingUpdate?.maxSurge ?? "25%", replicas, Math.ceil);
  const maxUnavailable = scaledValue(strategy?.rollingUpdate?.maxUnavailable ?? "25%", replicas, Math.floor);
  if (maxSurge === 0 && maxUnavailable === 0) return { maxSurge, maxUnavailable: Math.min(1, replicas) };
  return { maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
}
