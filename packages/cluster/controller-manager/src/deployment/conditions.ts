import type { DeploymentCondition, DeploymentStatus } from "@operator-path/client";

/** Why a Deployment progresses or does not: the reasons that kubectl and other tools look for (apps/deployment/util). */
export const progressing = {
  newReplicaSetCreated: "NewReplicaSetCreated",
  foundNewReplicaSet: "FoundNewReplicaSet",
  replicaSetUpdated: "ReplicaSetUpdated",
  newReplicaSetAvailable: "NewReplicaSetAvailable",
  replicaSetCreateError: "ReplicaSetCreateError",
  progressDeadlineExceeded: "ProgressDeadlineExceeded",
  paused: "DeploymentPaused",
  resumed: "DeploymentResumed",
} as const;

type Conditions = NonNullable<DeploymentStatus["conditions"]>;
type ConditionType = "Available" | "Progressing" | "ReplicaFailure";

export function findCondition(
  status: DeploymentStatus | undefined,
  type: ConditionType,
): DeploymentCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/**
 * The conditions with this one set. One of the same status and reason stays as it is: nothing has happened.
 * lastTransitionTime moves only with the status, lastUpdateTime with the reason, too.
 *
 * @param now RFC 3339.
 */
export function withCondition(
  conditions: Conditions,
  condition: { type: ConditionType; status: string; reason: string; message: string },
  now: string,
): Conditions {
  const current = conditions.find(({ type }) => type === condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return conditions;
  const lastTransitionTime = current?.status === condition.status ? current.lastTransitionTime : now;
  return [
    ...withoutCondition(conditions, condition.type),
    { ...condition, lastUpdateTime: now, ...(lastTransitionTime && { lastTransitionTime }) },
  ];
}

export function withoutCondition(conditions: Conditions, type: ConditionType): Conditions {
  return conditions.filter((condition) => condition.type !== type);
}
