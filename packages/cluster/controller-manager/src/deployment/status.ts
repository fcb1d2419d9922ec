import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from "@operator-path/client";
import { nameOf, timestamp } from "../objects.ts";
import { desiredReplicas, nonZero } from "../pods.ts";
import {
  fenceposts,
  observedReplicas,
  type Rollout,
  replicaSetsOf,
  totalDesiredReplicas,
} from "./rollout.ts";

/** 2^31-1, which the API server accepts as "no deadline". */
const noDeadline = 2_147_483_647;

/**
 * Returns spec.progressDeadlineSeconds, or undefined if there is no deadline. The API server defaults it to
 * 600.
 */
export function progressDeadlineSeconds({ spec }: Deployment): number | undefined {
  return spec?.progressDeadlineSeconds === noDeadline ? undefined : spec?.progressDeadlineSeconds;
}

/**
 * Derives the status from the ReplicaSets' statuses, with the Available condition. `withProgress` adds the
 * Progressing condition.
 *
 * @param now milliseconds since the epoch
 */
export function deploymentStatus(rollout: Rollout, now: number): DeploymentStatus {
  const { deployment, newReplicaSet } = rollout;
  const all = replicaSetsOf(rollout);
  const available = observedReplicas(all, "availableReplicas");
  const minAvailable = desiredReplicas(deployment) - fenceposts(deployment).maxUnavailable;
  const conditions = withCondition(
    deployment.status?.conditions ?? [],
    available >= minAvailable
      ? {
          type: "Available",
          status: "True",
          reason: "MinimumReplicasAvailable",
          message: "Deployment has minimum availability.",
        }
      : {
          type: "Available",
          status: "False",
          reason: "MinimumReplicasUnavailable",
          message: "Deployment does not have minimum availability.",
        },
    timestamp(now),
  );
  return {
    ...nonZero("observedGeneration", deployment.metadata?.generation),
    ...nonZero("replicas", observedReplicas(all, "replicas")),
    ...nonZero("updatedReplicas", newReplicaSet?.status?.replicas),
    ...nonZero("readyReplicas", observedReplicas(all, "readyReplicas")),
    ...nonZero("availableReplicas", available),
    ...nonZero("unavailableReplicas", Math.max(0, totalDesiredReplicas(all) - available)),
    ...terminatingReplicas(all),
    ...(deployment.status?.collisionCount !== undefined && {
      collisionCount: deployment.status.collisionCount,
    }),
    conditions,
  };
}

/** Adds the Progressing and ReplicaFailure conditions to a status. */
export function withProgress(status: DeploymentStatus, rollout: Rollout, now: number): DeploymentStatus {
  let conditions = status.conditions ?? [];
  const condition = progressCondition(status, rollout, now);
  if (condition === "none") {
    conditions = withoutCondition(conditions, "Progressing");
  } else if (condition !== undefined) {
    const current = findCondition(status, "Progressing");
    // Each sign of progress restarts the deadline, so lastUpdateTime must change even if nothing else does.
    if (condition.reason === progressing.replicaSetUpdated && current?.reason === condition.reason) {
      const { lastTransitionTime } = current;
      conditions = [
        ...withoutCondition(conditions, "Progressing"),
        { ...condition, lastUpdateTime: timestamp(now), ...(lastTransitionTime && { lastTransitionTime }) },
      ];
    } else {
      conditions = withCondition(conditions, condition, timestamp(now));
    }
  }
  return { ...status, conditions: withReplicaFailure(conditions, rollout, now) };
}

/** Whether all replicas have the new revision and are available, and no old Pod runs. */
export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const desired = desiredReplicas(deployment);
  return (
    (status?.updatedReplicas ?? 0) === desired &&
    (status?.replicas ?? 0) === desired &&
    (status?.availableReplicas ?? 0) === desired &&
    (status?.observedGeneration ?? 0) >= (deployment.metadata?.generation ?? 0)
  );
}

/**
 * Returns when to check a stalled rollout against its deadline, in milliseconds from now. Returns undefined
 * if no check is needed.
 */
export function nextProgressCheck(
  deployment: Deployment,
  status: DeploymentStatus,
  now: number,
): number | undefined {
  const deadline = progressDeadlineSeconds(deployment);
  const condition = findCondition(status, "Progressing");
  if (deadline === undefined || condition?.lastUpdateTime === undefined) return undefined;
  if (isComplete(deployment, status)) return undefined;
  if (condition.reason === progressing.progressDeadlineExceeded) return undefined;
  // Timestamps are rounded to seconds. Without the extra second, the check could run just before the
  // deadline.
  return Math.max(1000, Date.parse(condition.lastUpdateTime) + deadline * 1000 - now + 1000);
}

/** Returns the condition to set, "none" to remove it, or undefined to keep it. */
function progressCondition(status: DeploymentStatus, { deployment, newReplicaSet }: Rollout, now: number) {
  const deadline = progressDeadlineSeconds(deployment);
  if (deadline === undefined) return "none";
  const current = findCondition(status, "Progressing");
  const allUpdated = (status.replicas ?? 0) === (status.updatedReplicas ?? 0);
  // The rollout is complete. Later changes to Pods, such as scaling or a node failure, are not its progress.
  if (allUpdated && current?.reason === progressing.newReplicaSetAvailable) return undefined;

  const who = newReplicaSet ? `ReplicaSet "${nameOf(newReplicaSet)}"` : `Deployment "${nameOf(deployment)}"`;
  const condition = (status: string, reason: string, message: string) =>
    ({ type: "Progressing", status, reason, message: `${who} ${message}` }) as const;

  if (isComplete(deployment, status)) {
    return condition("True", progressing.newReplicaSetAvailable, "has successfully progressed.");
  }
  if (hasProgressed(deployment.status, status)) {
    return condition("True", progressing.replicaSetUpdated, "is progressing.");
  }
  if (current?.lastUpdateTime === undefined || current.reason === progressing.newReplicaSetAvailable)
    return undefined;
  if (Date.parse(current.lastUpdateTime) + deadline * 1000 < now) {
    return condition("False", progressing.progressDeadlineExceeded, "has timed out progressing.");
  }
  return undefined;
}

/**
 * Whether there are more updated, ready or available Pods, or fewer old ones, than in the last written
 * status.
 */
function hasProgressed(before: DeploymentStatus | undefined, after: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus | undefined) =>
    (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  return (
    (after.updatedReplicas ?? 0) > (before?.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before?.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before?.availableReplicas ?? 0)
  );
}

function withReplicaFailure(
  conditions: NonNullable<DeploymentStatus["conditions"]>,
  rollout: Rollout,
  now: number,
) {
  const newestFirst = replicaSetsOf(rollout).toReversed();
  const failure = newestFirst
    .flatMap(({ status }) => status?.conditions ?? [])
    .find(({ type }) => type === "ReplicaFailure");
  if (failure === undefined) return withoutCondition(conditions, "ReplicaFailure");
  const { status, reason = "", message = "" } = failure;
  return withCondition(conditions, { type: "ReplicaFailure", status, reason, message }, timestamp(now));
}

/** Absent until every reconciled ReplicaSet reports its own count. */
function terminatingReplicas(replicaSets: ReplicaSet[]): { terminatingReplicas?: number } {
  const reported = replicaSets.filter(({ status }) => status?.observedGeneration);
  if (reported.some(({ status }) => status?.terminatingReplicas === undefined)) return {};
  return {
    terminatingReplicas: reported.reduce((sum, { status }) => sum + (status?.terminatingReplicas ?? 0), 0),
  };
}

/** Reasons of the Progressing condition, which kubectl and other tools read (apps/deployment/util). */
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
 * Returns the conditions with one replaced. A condition with the same status and reason is kept as it is.
 * lastTransitionTime changes with the status, and lastUpdateTime also with the reason.
 *
 * @param now RFC 3339
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

function withoutCondition(conditions: Conditions, type: ConditionType): Conditions {
  return conditions.filter((condition) => condition.type !== type);
}
