import type { Deployment, KubeObject, ReplicaSet } from "@operator-path/client";
import { equalIgnoringHash } from "../history.ts";
import { byCreationTimestamp } from "../objects.ts";
import { desiredReplicas, scaledValue } from "../pods.ts";

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

type ReplicaCount = "replicas" | "readyReplicas" | "availableReplicas";

/** Sum of a count over what the ReplicaSets report in their status. */
export function observedReplicas(replicaSets: ReplicaSet[], count: ReplicaCount): number {
  return replicaSets.reduce((sum, { status }) => sum + (status?.[count] ?? 0), 0);
}

/** Sum of spec.replicas. */
export function totalDesiredReplicas(replicaSets: ReplicaSet[]): number {
  return replicaSets.reduce((sum, replicaSet) => sum + desiredReplicas(replicaSet), 0);
}

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

/** How far a rollout may go above and below the desired number of replicas. */
interface Fenceposts {
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

/** On a ReplicaSet its place in the history; on the Deployment, that of its new ReplicaSet. `kubectl rollout` reads both. */
export const revisionAnnotation = "deployment.kubernetes.io/revision";
/** The numbers that a ReplicaSet had before, comma-separated: it gets a new one at every rollback to it. */
export const revisionHistoryAnnotation = "deployment.kubernetes.io/revision-history";
/** spec.replicas of the Deployment when the ReplicaSet was last scaled: tells a scaling from a rollout. */
export const desiredReplicasAnnotation = "deployment.kubernetes.io/desired-replicas";
/** The same plus the surge: the base of proportions. */
const maxReplicasAnnotation = "deployment.kubernetes.io/max-replicas";

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
