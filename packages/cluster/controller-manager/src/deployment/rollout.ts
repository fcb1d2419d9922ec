import type { Deployment, KubeObject, ReplicaSet } from "@operator-path/client";
import { equalIgnoringHash } from "../history.ts";
import { byCreationTimestamp } from "../objects.ts";
import { desiredReplicas, scaledValue } from "../pods.ts";

/** A Deployment and its ReplicaSets. */
export interface Rollout {
  deployment: Deployment;
  /** The ReplicaSet with the Deployment's current template. Undefined until it is created. */
  newReplicaSet?: ReplicaSet;
  /** All others, oldest first: earlier revisions, most of them scaled to 0. */
  oldReplicaSets: ReplicaSet[];
}

/** A ReplicaSet and its desired size. */
export interface Scaling {
  replicaSet: ReplicaSet;
  replicas: number;
}

/** Splits a Deployment's ReplicaSets into the new one and the old ones. */
export function rolloutOf(deployment: Deployment, replicaSets: ReplicaSet[]): Rollout {
  const sorted = replicaSets.toSorted(byCreationTimestamp);
  const template = deployment.spec?.template;
  // Two ReplicaSets may match if an API upgrade changed the hash of the same template. The oldest one wins,
  // so the choice is stable.
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

/** Returns all ReplicaSets of a rollout, the new one last. */
export function replicaSetsOf({ newReplicaSet, oldReplicaSets }: Rollout): ReplicaSet[] {
  return newReplicaSet === undefined ? oldReplicaSets : [...oldReplicaSets, newReplicaSet];
}

/** Returns the ReplicaSets whose desired size is not 0. */
export function active(replicaSets: ReplicaSet[]): ReplicaSet[] {
  return replicaSets.filter((replicaSet) => desiredReplicas(replicaSet) > 0);
}

type ReplicaCount = "replicas" | "readyReplicas" | "availableReplicas";

/** Sums a count over the ReplicaSets' statuses. */
export function observedReplicas(replicaSets: ReplicaSet[], count: ReplicaCount): number {
  return replicaSets.reduce((sum, { status }) => sum + (status?.[count] ?? 0), 0);
}

/** Sums spec.replicas. */
export function totalDesiredReplicas(replicaSets: ReplicaSet[]): number {
  return replicaSets.reduce((sum, replicaSet) => sum + desiredReplicas(replicaSet), 0);
}

/**
 * Plans one step of a rolling update from the current availability. Repeating the step as Pods become
 * available moves all replicas to the new ReplicaSet.
 *
 * Never asks for more than spec.replicas + maxSurge Pods. Never removes an available old Pod if fewer than
 * spec.replicas - maxUnavailable would remain. Scales the new ReplicaSet first, and old ones in a later step,
 * so that the status is written in between.
 */
export function planRollingUpdate(rollout: Rollout & { newReplicaSet: ReplicaSet }): Scaling[] {
  const { newReplicaSet } = rollout;
  const replicas = newReplicas(rollout);
  if (replicas !== desiredReplicas(newReplicaSet)) return [{ replicaSet: newReplicaSet, replicas }];
  return scaleDownOld(rollout, newReplicaSet);
}

/**
 * Returns the size of the new ReplicaSet, which may not exist yet: as many Pods as the surge allows, and at
 * most spec.replicas.
 */
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

  // Unavailable new Pods do not count. If they never become available, the old Pods must keep serving.
  const newUnavailable = desiredReplicas(newReplicaSet) - (newReplicaSet.status?.availableReplicas ?? 0);
  const removable = totalDesiredReplicas(all) - minAvailable - newUnavailable;
  if (removable <= 0) return [];

  const plan = active(oldReplicaSets).map((replicaSet) => ({
    replicaSet,
    replicas: desiredReplicas(replicaSet),
  }));

  // Unavailable old Pods go first. They serve no traffic, and keeping them could block the rollout forever.
  // The ReplicaSet deletes its unready Pods first, so the scale-down removes these.
  let unhealthy = removable;
  for (const step of plan) {
    const unavailable = step.replicas - (step.replicaSet.status?.availableReplicas ?? 0);
    const remove = Math.max(0, Math.min(unhealthy, unavailable));
    step.replicas -= remove;
    unhealthy -= remove;
  }

  // Then available Pods go, as far as maxUnavailable allows.
  let spare = Math.max(0, observedReplicas(all, "availableReplicas") - minAvailable);
  for (const step of plan) {
    const remove = Math.min(spare, step.replicas);
    step.replicas -= remove;
    spare -= remove;
  }
  return plan.filter(({ replicaSet, replicas }) => replicas !== desiredReplicas(replicaSet));
}

/**
 * Distributes a changed spec.replicas over the ReplicaSets during a rollout or a pause, without continuing
 * the rollout. A single active ReplicaSet gets the full size. If none is active, the newest gets it. Several
 * active ReplicaSets share the difference in proportion to their sizes, so the rollout keeps its progress.
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

/**
 * Returns whether the new ReplicaSet has the desired size, its desired-replicas annotation agrees, and all of
 * its replicas are available.
 */
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

  // Sorts by size, largest first. On a tie, scaling up prefers the newest and scaling down the oldest.
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

/** How far a rollout may go above and below the desired number of replicas. */
interface Fenceposts {
  /** Pods allowed above spec.replicas. */
  maxSurge: number;
  /** Pods allowed to be unavailable below spec.replicas. */
  maxUnavailable: number;
}

/**
 * Resolves spec.strategy.rollingUpdate for the current number of replicas. A percentage of maxSurge is
 * rounded up, and one of maxUnavailable down. So 25 % of one replica still makes progress (surge 1,
 * unavailable 0). Both can round to 0, although validation rejects two literal zeros. In that case one Pod
 * may be unavailable. Both are 0 for Recreate.
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

/**
 * A ReplicaSet's revision number. On a Deployment, the number of its new ReplicaSet. `kubectl rollout` reads
 * both.
 */
export const revisionAnnotation = "deployment.kubernetes.io/revision";
/**
 * The earlier revision numbers of a ReplicaSet, comma-separated. Each rollback to it assigns a new number.
 */
export const revisionHistoryAnnotation = "deployment.kubernetes.io/revision-history";
/**
 * The Deployment's spec.replicas when the ReplicaSet was last scaled. Distinguishes scaling from a rollout.
 */
export const desiredReplicasAnnotation = "deployment.kubernetes.io/desired-replicas";
/** The desired replicas plus the surge: the base for proportional scaling. */
const maxReplicasAnnotation = "deployment.kubernetes.io/max-replicas";

const maxHistoryLength = 2000;

/** Annotations that are not copied from the Deployment to its ReplicaSets. */
const notCopied = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.deployment.rollback.to",
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
]);

type Annotations = Record<string, string>;

/** Parses an annotation as a non-negative integer. Returns undefined if it is missing or invalid. */
export function numberFrom(object: KubeObject, annotation: string): number | undefined {
  const value = object.metadata?.annotations?.[annotation];
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** Returns the revision of a ReplicaSet, or 0. */
export function revisionOf(object: KubeObject): number {
  return numberFrom(object, revisionAnnotation) ?? 0;
}

/**
 * Returns the annotations of the new ReplicaSet: the Deployment's annotations, and a revision above all
 * others. If the ReplicaSet already has a lower revision, this is a rollback: the old number moves to the
 * history. A ReplicaSet with a higher revision keeps it, because the ReplicaSets that it was computed from
 * may have been cleaned up.
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

/** Returns the annotations that record the Deployment's size when a ReplicaSet is scaled. */
export function sizeAnnotations(deployment: Deployment): Annotations {
  const desired = desiredReplicas(deployment);
  return {
    [desiredReplicasAnnotation]: String(desired),
    [maxReplicasAnnotation]: String(desired + fenceposts(deployment).maxSurge),
  };
}

/** Appends to the history, and drops the oldest numbers if it grows too long. */
function history(known: string | undefined, revision: number): string {
  const revisions = [...(known ? known.split(",") : []), String(revision)];
  while (revisions.join(",").length > maxHistoryLength) revisions.shift();
  return revisions.join(",");
}
