import type { Deployment, ReplicaSet } from "@operator-path/client";
import { byCreationTimestamp } from "../objects.ts";
import { desiredReplicas } from "../replicas.ts";
import { equalIgnoringHash } from "./template-hash.ts";

/** A Deployment and the ReplicaSets that it manages. */
export interface Rollout {
  deployment: Deployment;
  /** The one with the Deployment's current template: the revision that is wanted. Absent until it is created. */
  newReplicaSet?: ReplicaSet;
  /** All others, oldest first: earlier revisions, most of them scaled to 0. */
  oldReplicaSets: ReplicaSet[];
}

/** A ReplicaSet and the size it should have. */
export interface Scaling {
  replicaSet: ReplicaSet;
  replicas: number;
}

/** Sorts the ReplicaSets of a Deployment into the new one and the old ones. */
export function rolloutOf(deployment: Deployment, replicaSets: ReplicaSet[]): Rollout {
  const sorted = replicaSets.toSorted(byCreationTimestamp);
  const template = deployment.spec?.template;
  // Two may match: after an API upgrade gave the same template another hash. The oldest is taken, always the same one.
  const newReplicaSet = sorted.find(
    ({ spec }) =>
      template !== undefined && spec?.template !== undefined && equalIgnoringHash(spec.template, template),
  );
  return {
    deployment,
    ...(newReplicaSet && { newReplicaSet }),
    oldReplicaSets: sorted.filter((replicaSet) => replicaSet !== newReplicaSet),
  };
}

/** All ReplicaSets of a rollout, the new one last. */
export function replicaSetsOf({ newReplicaSet, oldReplicaSets }: Rollout): ReplicaSet[] {
  return newReplicaSet === undefined ? oldReplicaSets : [...oldReplicaSets, newReplicaSet];
}

/** ReplicaSets that have Pods, or ought to. */
export function active(replicaSets: ReplicaSet[]): ReplicaSet[] {
  return replicaSets.filter((replicaSet) => desiredReplicas(replicaSet) > 0);
}

export type ReplicaCount = "replicas" | "readyReplicas" | "availableReplicas";

/** Sum of a count over what the ReplicaSets report in their status. */
export function observedReplicas(replicaSets: ReplicaSet[], count: ReplicaCount): number {
  return replicaSets.reduce((sum, { status }) => sum + (status?.[count] ?? 0), 0);
}

/** Sum of spec.replicas. */
export function totalDesiredReplicas(replicaSets: ReplicaSet[]): number {
  return replicaSets.reduce((sum, replicaSet) => sum + desiredReplicas(replicaSet), 0);
}
