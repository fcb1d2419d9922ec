import type { ReplicaSet } from "@operator-path/client";
import { byCreationTimestamp, isBeingDeleted } from "../objects.ts";
import { desiredReplicas } from "../replicas.ts";
import { revisionOf } from "./annotations.ts";
import type { Rollout } from "./rollout.ts";

/** 2^31-1: keep everything. */
const noLimit = 2_147_483_647;

/**
 * The old ReplicaSets that spec.revisionHistoryLimit (the API server's default is 10) leaves no place for, oldest
 * revision first. One that still has Pods, or whose controller has not seen its last change, stays for now, and uses up
 * its place: the number of revisions that can be rolled back to is never below the limit because of it.
 */
export function replicaSetsToRemove({ deployment, oldReplicaSets }: Rollout): ReplicaSet[] {
  const limit = deployment.spec?.revisionHistoryLimit ?? 10;
  if (limit === noLimit) return [];
  const alive = oldReplicaSets.filter((replicaSet) => !isBeingDeleted(replicaSet));
  return alive
    .toSorted((a, b) => revisionOf(a) - revisionOf(b) || byCreationTimestamp(a, b))
    .slice(0, Math.max(0, alive.length - limit))
    .filter(isIdle);
}

function isIdle({ metadata, spec, status }: ReplicaSet): boolean {
  const seen = (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0);
  return seen && desiredReplicas({ ...(spec && { spec }) }) === 0 && (status?.replicas ?? 0) === 0;
}
