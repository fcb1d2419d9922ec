import type { Deployment, KubeObject, ReplicaSet } from "@operator-path/client";
import { desiredReplicas } from "../replicas.ts";
import { fenceposts } from "./fenceposts.ts";

/** On a ReplicaSet its place in the history; on the Deployment, that of its new ReplicaSet. `kubectl rollout` reads both. */
export const revisionAnnotation = "deployment.kubernetes.io/revision";
/** The numbers that a ReplicaSet had before, comma-separated: it gets a new one at every rollback to it. */
export const revisionHistoryAnnotation = "deployment.kubernetes.io/revision-history";
/** spec.replicas of the Deployment when the ReplicaSet was last scaled: tells a scaling from a rollout. */
export const desiredReplicasAnnotation = "deployment.kubernetes.io/desired-replicas";
/** The same plus the surge: the base of proportions. */
export const maxReplicasAnnotation = "deployment.kubernetes.io/max-replicas";

const maxHistoryLength = 2000;

/** Annotations that belong to one object, and are not copied from the Deployment to its ReplicaSets. */
const notCopied = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.deployment.rollback.to",
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
]);

type Annotations = Record<string, string>;

/** An annotation as a number that is not negative; undefined when it is absent, or not such a number. */
export function numberFrom(object: KubeObject, annotation: string): number | undefined {
  const value = object.metadata?.annotations?.[annotation];
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** The revision of a ReplicaSet, 0 if it has none. */
export function revisionOf(object: KubeObject): number {
  return numberFrom(object, revisionAnnotation) ?? 0;
}

/**
 * The annotations that the new ReplicaSet should have: the Deployment's, and a revision above that of all others. When
 * that replaces a lower one, the Deployment has been rolled back to this ReplicaSet, and the old number goes to its
 * history. A higher number stays: the ReplicaSets it was counted from may have been cleaned up.
 */
export function newReplicaSetAnnotations(
  deployment: Deployment,
  revision: number,
  existing?: ReplicaSet,
): Annotations {
  const copied = Object.entries(deployment.metadata?.annotations ?? {}).filter(
    ([key]) => !notCopied.has(key),
  );
  const annotations: Annotations = { ...existing?.metadata?.annotations, ...Object.fromEntries(copied) };
  const previous = existing === undefined ? undefined : numberFrom(existing, revisionAnnotation);
  if (previous !== undefined && previous >= revision) return annotations;
  annotations[revisionAnnotation] = String(revision);
  if (previous !== undefined) {
    annotations[revisionHistoryAnnotation] = history(annotations[revisionHistoryAnnotation], previous);
  }
  return annotations;
}

/** The annotations that record for which size of the Deployment a ReplicaSet was scaled. */
export function sizeAnnotations(deployment: Deployment): Annotations {
  const desired = desiredReplicas(deployment);
  return {
    [desiredReplicasAnnotation]: String(desired),
    [maxReplicasAnnotation]: String(desired + fenceposts(deployment).maxSurge),
  };
}

/** Appends to the history; the oldest numbers go when it grows too long. */
function history(known: string | undefined, revision: number): string {
  const revisions = [...(known ? known.split(",") : []), String(revision)];
  while (revisions.join(",").length > maxHistoryLength) revisions.shift();
  return revisions.join(",");
}
