import type { ReplicaSet } from "@operator-path/client";
import { desiredReplicas } from "../replicas.ts";
import { fenceposts } from "./fenceposts.ts";
import {
  active,
  observedReplicas,
  type Rollout,
  replicaSetsOf,
  type Scaling,
  totalDesiredReplicas,
} from "./rollout.ts";

/**
 * One step of a rolling update: which ReplicaSets to scale now, given what is available now. Repeated as Pods come up, it
 * ends with all replicas in the new ReplicaSet.
 *
 * Promised: never asks for more than spec.replicas + maxSurge Pods, and never removes an old available Pod when that
 * would leave fewer than spec.replicas - maxUnavailable available. Scales the new ReplicaSet first, and the old ones only
 * when the new one has its size for now: the status is written in between.
 */
export function planRollingUpdate(rollout: Rollout & { newReplicaSet: ReplicaSet }): Scaling[] {
  const { newReplicaSet } = rollout;
  const replicas = newReplicas(rollout);
  if (replicas !== desiredReplicas(newReplicaSet)) return [{ replicaSet: newReplicaSet, replicas }];
  return scaleDownOld(rollout, newReplicaSet);
}

/** The size of the new ReplicaSet (created already or not): what the surge allows, at most that of the Deployment. */
export function newReplicas(rollout: Rollout): number {
  const desired = desiredReplicas(rollout.deployment);
  if (rollout.deployment.spec?.strategy?.type === "Recreate") return desired;
  const current = rollout.newReplicaSet === undefined ? 0 : desiredReplicas(rollout.newReplicaSet);
  if (current >= desired) return desired;
  const room =
    desired + fenceposts(rollout.deployment).maxSurge - totalDesiredReplicas(replicaSetsOf(rollout));
  return current + Math.max(0, Math.min(room, desired - current));
}

function scaleDownOld(rollout: Rollout, newReplicaSet: ReplicaSet): Scaling[] {
  const { deployment, oldReplicaSets } = rollout;
  const all = replicaSetsOf(rollout);
  const minAvailable = desiredReplicas(deployment) - fenceposts(deployment).maxUnavailable;

  // New Pods that are not available yet are not counted on: should they never be, the old ones have to carry on.
  const newUnavailable = desiredReplicas(newReplicaSet) - (newReplicaSet.status?.availableReplicas ?? 0);
  const removable = totalDesiredReplicas(all) - minAvailable - newUnavailable;
  if (removable <= 0) return [];

  const plan = active(oldReplicaSets).map((replicaSet) => ({
    replicaSet,
    replicas: desiredReplicas(replicaSet),
  }));

  // Unavailable old Pods first: they serve nobody, so removing them costs nothing, and keeping them could block the
  // rollout for good. The ReplicaSet picks unready Pods first, so it is these that go.
  let unhealthy = removable;
  for (const step of plan) {
    const unavailable = step.replicas - (step.replicaSet.status?.availableReplicas ?? 0);
    const remove = Math.max(0, Math.min(unhealthy, unavailable));
    step.replicas -= remove;
    unhealthy -= remove;
  }

  // Then as many available ones as may be missing.
  let spare = Math.max(0, observedReplicas(all, "availableReplicas") - minAvailable);
  for (const step of plan) {
    const remove = Math.min(spare, step.replicas);
    step.replicas -= remove;
    spare -= remove;
  }
  return plan.filter(({ replicaSet, replicas }) => replicas !== desiredReplicas(replicaSet));
}
