import { byCreationTimestamp } from "../objects.ts";
import { desiredReplicas } from "../replicas.ts";
import { desiredReplicasAnnotation, maxReplicasAnnotation, numberFrom } from "./annotations.ts";
import { fenceposts } from "./fenceposts.ts";
import { active, type Rollout, replicaSetsOf, type Scaling, totalDesiredReplicas } from "./rollout.ts";

/**
 * What a change of spec.replicas means for the ReplicaSets when no rollout may be made of it: during one, or while the
 * Deployment is paused. A single active ReplicaSet (or, with none active, the newest) takes the whole size. Several share
 * the difference in proportion to their sizes, so that a rollout that is half done stays half done.
 */
export function planScaling(rollout: Rollout): Scaling[] {
  const { deployment, newReplicaSet, oldReplicaSets } = rollout;
  const desired = desiredReplicas(deployment);
  const activeSets = active(replicaSetsOf(rollout));

  const only = activeSets.length === 0 ? (newReplicaSet ?? oldReplicaSets.at(-1)) : activeSets[0];
  if (activeSets.length <= 1) return only === undefined ? [] : [{ replicaSet: only, replicas: desired }];

  if (newReplicaSet !== undefined && isSaturated(rollout)) {
    return active(oldReplicaSets).map((replicaSet) => ({ replicaSet, replicas: 0 }));
  }
  return deployment.spec?.strategy?.type === "Recreate" ? [] : share(rollout);
}

/** Whether the new ReplicaSet has everything that the Deployment asks for, and knows what that is. */
function isSaturated({ deployment, newReplicaSet }: Rollout): boolean {
  const desired = desiredReplicas(deployment);
  return (
    newReplicaSet !== undefined &&
    desiredReplicas(newReplicaSet) === desired &&
    numberFrom(newReplicaSet, desiredReplicasAnnotation) === desired &&
    (newReplicaSet.status?.availableReplicas ?? 0) === desired
  );
}

function share(rollout: Rollout): Scaling[] {
  const { deployment } = rollout;
  const desired = desiredReplicas(deployment);
  const allowed = desired === 0 ? 0 : desired + fenceposts(deployment).maxSurge;
  const sets = active(replicaSetsOf(rollout));
  const toAdd = allowed - totalDesiredReplicas(sets);

  // Largest first. Of equal ones, growth favours the newest and shrinking takes from the oldest.
  const plan = sets
    .toSorted(
      (a, b) => desiredReplicas(b) - desiredReplicas(a) || Math.sign(-toAdd) * byCreationTimestamp(a, b),
    )
    .map((replicaSet): Scaling => ({ replicaSet, replicas: desiredReplicas(replicaSet) }));
  if (toAdd === 0) return plan;

  let left = toAdd;
  for (const step of plan) {
    if (left === 0) break;
    const before = numberFrom(step.replicaSet, maxReplicasAnnotation) || (deployment.status?.replicas ?? 0);
    const target =
      desired === 0 ? 0 : before === 0 ? step.replicas : Math.round((step.replicas * allowed) / before);
    const change = target - step.replicas;
    const taken = toAdd > 0 ? Math.min(change, left) : Math.max(change, left);
    step.replicas += taken;
    left -= taken;
  }
  const [largest] = plan;
  if (largest !== undefined) largest.replicas = Math.max(0, largest.replicas + left);
  return plan;
}
