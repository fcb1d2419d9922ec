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

/** 2^31-1: what the API server's validation lets stand for "never". */
const noDeadline = 2_147_483_647;

/** spec.progressDeadlineSeconds, or undefined when there is no deadline. The API server's default is 600. */
export function progressDeadlineSeconds({ spec }: Deployment): number | undefined {
  return spec?.progressDeadlineSeconds === noDeadline ? undefined : spec?.progressDeadlineSeconds;
}

/**
 * The status as it follows from what the ReplicaSets report, with the Available condition. Progress is not judged: see
 * `withProgress`.
 *
 * @param now milliseconds since the epoch.
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

/** Adds to a status how the rollout progresses, and what keeps ReplicaSets from creating Pods. */
export function withProgress(status: DeploymentStatus, rollout: Rollout, now: number): DeploymentStatus {
  let conditions = status.conditions ?? [];
  const condition = progressCondition(status, rollout, now);
  if (condition === "none") {
    conditions = withoutCondition(conditions, "Progressing");
  } else if (condition !== undefined) {
    const current = findCondition(status, "Progressing");
    // Each new sign of progress restarts the deadline: lastUpdateTime has to move, although nothing else does.
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

/** Whether all replicas are of the new revision and available, and no old Pod runs. */
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
 * When to look again whether a rollout that shows no progress has exceeded its deadline, in milliseconds from now;
 * undefined when that is settled.
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
  // One second more: times are kept in whole seconds, and a check that comes too early would find nothing to do.
  return Math.max(1000, Date.parse(condition.lastUpdateTime) + deadline * 1000 - now + 1000);
}

/** The condition to set, "none" when there is to be none, undefined when it stays as it is. */
function progressCondition(status: DeploymentStatus, { deployment, newReplicaSet }: Rollout, now: number) {
  const deadline = progressDeadlineSeconds(deployment);
  if (deadline === undefined) return "none";
  const current = findCondition(status, "Progressing");
  const allUpdated = (status.replicas ?? 0) === (status.updatedReplicas ?? 0);
  // The rollout is over: what happens to Pods now (a scaling, a node's failure) is not its progress.
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

/** Progress is: more updated Pods, fewer old ones, more ready, or more available ones than when last written down. */
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

/** Unknown (absent) until every ReplicaSet that has been reconciled reports its own. */
function terminatingReplicas(replicaSets: ReplicaSet[]): { terminatingReplicas?: number } {
  const reported = replicaSets.filter(({ status }) => status?.observedGeneration);
  if (reported.some(({ status }) => status?.terminatingReplicas === undefined)) return {};
  return {
    terminatingReplicas: reported.reduce((sum, { status }) => sum + (status?.terminatingReplicas ?? 0), 0),
  };
}

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

function withoutCondition(conditions: Conditions, type: ConditionType): Conditions {
  return conditions.filter((condition) => condition.type !== type);
}
