import {
  apiVersionOf,
  type KubeObject,
  type OwnerReference,
  type PersistentVolumeClaim,
  type Pod,
  type PodTemplateSpec,
  pods,
  type Resource,
  type StatefulSet,
  statefulSets,
} from "@operator-path/client";
import { isBeingDeleted, nameOf, namespaceOf } from "../objects.ts";
import { controllerRef } from "../ownership.ts";
import { podFromTemplate } from "../pod-control.ts";
import { desiredReplicas, isReady, isTerminal, millisecondsUntilAvailable, nonZero } from "../pods.ts";

type Step =
  /** A missing Pod. */
  | { create: number }
  /** A finished Pod, one above the replica count, or one of an older revision. */
  | { remove: Pod }
  /** A Pod whose claims and labels must be checked. */
  | { check: Pod };

/**
 * Plans the next steps. With OrderedReady, one step at a time: Pods start from the first ordinal, each after
 * all before it are available. They stop from the last ordinal, and nothing changes while a Pod is
 * unavailable. With Parallel, all Pods start and stop at once. Both replace Pods of an older revision one by
 * one, from the last ordinal down to the partition. (pkg/controller/statefulset: updateStatefulSet.)
 *
 * @param updateRevision name of the revision for Pods at or above the partition
 */
export function planStatefulSet(set: StatefulSet, pods: Pod[], updateRevision: string, now: number): Step[] {
  const ordered = set.spec?.podManagementPolicy !== "Parallel";
  const steps: Step[] = [];
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
  const start = startOrdinal(set);
  const ordinals = Array.from({ length: desiredReplicas(set) }, (_, index) => start + index);

  for (const ordinal of ordinals) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) steps.push({ create: ordinal });
    else if (isTerminal(pod)) {
      // Its successor is created after it is deleted, whether it succeeded or failed.
      if (!isBeingDeleted(pod)) steps.push({ remove: pod });
    } else steps.push({ check: pod });
    if (ordered && (pod === undefined || !isAvailable(set, pod, now))) return steps;
  }

  const condemned = pods
    .filter((pod) => !isWanted(set, pod) && ordinalOf(set, pod) !== undefined)
    .sort((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0));
  const firstUnavailable = condemned.findLast((pod) => !isAvailable(set, pod, now));
  for (const pod of condemned) {
    steps.push({ check: pod });
    if (isBeingDeleted(pod)) {
      if (ordered) return steps;
      continue;
    }
    if (ordered && !isAvailable(set, pod, now) && pod !== firstUnavailable) return steps;
    steps.push({ remove: pod });
    if (ordered) return steps;
  }

  if (set.spec?.updateStrategy?.type === "OnDelete") return steps;
  const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (const ordinal of ordinals.toReversed()) {
    // As in Kubernetes, the partition counts from the first replica, whatever its ordinal.
    if (ordinal - start < partition) break;
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) break;
    if (podRevision(pod) !== updateRevision && !isBeingDeleted(pod)) {
      if (!isTerminal(pod)) steps.push({ remove: pod });
      break;
    }
    if (!isAvailable(set, pod, now)) break;
  }
  return steps;
}

const revisionLabel = "controller-revision-hash";
const podNameLabel = "statefulset.kubernetes.io/pod-name";
const podIndexLabel = "apps.kubernetes.io/pod-index";

/** Returns the ordinal at the end of a Pod's name, if the rest is the StatefulSet's name. */
export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const match = /^(.*)-([0-9]+)$/.exec(nameOf(pod));
  return match?.[1] === nameOf(set) ? Number(match[2]) : undefined;
}

/** Returns `data-web-0` for the claim template `data` and the Pod web-0. */
function claimName(set: StatefulSet, template: PersistentVolumeClaim, ordinal: number): string {
  return `${nameOf(template)}-${nameOf(set)}-${ordinal}`;
}

export function startOrdinal({ spec }: StatefulSet): number {
  return spec?.ordinals?.start ?? 0;
}

/** Whether the Pod's ordinal is within the desired replicas. */
function isWanted(set: StatefulSet, pod: Pod): boolean {
  const ordinal = ordinalOf(set, pod);
  const start = startOrdinal(set);
  return ordinal !== undefined && ordinal >= start && ordinal < start + desiredReplicas(set);
}

export function podRevision(pod: Pod): string {
  return pod.metadata?.labels?.[revisionLabel] ?? "";
}

/** Builds the Pod of an ordinal and a revision. Its name, hostname and claims never change. */
export function statefulPod(
  set: StatefulSet,
  template: PodTemplateSpec,
  revision: string,
  ordinal: number,
): Pod {
  const name = `${nameOf(set)}-${ordinal}`;
  const pod = podFromTemplate(template, set, statefulSets);
  const claims = set.spec?.volumeClaimTemplates ?? [];
  const volumes = [
    ...claims.map((claim) => ({
      name: nameOf(claim),
      persistentVolumeClaim: { claimName: claimName(set, claim, ordinal) },
    })),
    ...(template.spec?.volumes ?? []).filter(
      (volume) => !claims.some((claim) => nameOf(claim) === volume.name),
    ),
  ];
  const { containers = [], ...spec } = template.spec ?? { containers: [] };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name,
      namespace: namespaceOf(set),
      labels: { ...pod.metadata?.labels, [revisionLabel]: revision, ...identityLabels(name, ordinal) },
    },
    spec: {
      ...spec,
      containers,
      ...(volumes.length > 0 && { volumes }),
      hostname: name,
      ...(set.spec?.serviceName && { subdomain: set.spec.serviceName }),
    },
  };
}

export function identityLabels(name: string, ordinal: number): Record<string, string> {
  return { [podNameLabel]: name, [podIndexLabel]: String(ordinal) };
}

export function hasIdentity(pod: Pod): boolean {
  return pod.metadata?.labels?.[podNameLabel] === nameOf(pod);
}

/** Builds the claims of a StatefulSet's Pod. */
export function claimsOf(set: StatefulSet, pod: Pod): PersistentVolumeClaim[] {
  const ordinal = ordinalOf(set, pod) ?? 0;
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => {
    const { status: _, ...claim } = template;
    const labels = { ...template.metadata?.labels, ...set.spec?.selector?.matchLabels };
    return {
      ...claim,
      metadata: {
        ...template.metadata,
        name: claimName(set, template, ordinal),
        namespace: namespaceOf(set),
        ...(Object.keys(labels).length > 0 && { labels }),
      },
    };
  });
}

/**
 * Returns the owners that a claim should have under the StatefulSet's retention policy. Returns undefined if
 * they are right, or if a deleted StatefulSet or Pod of the same name still owns the claim: the garbage
 * collector handles that one. With whenScaled: Delete, the Pod owns the claim once it is scaled away.
 * (KEP-1847.)
 */
export function retentionOwners(
  set: StatefulSet,
  pod: Pod,
  claim: PersistentVolumeClaim,
): OwnerReference[] | undefined {
  const owners = claim.metadata?.ownerReferences ?? [];
  const isStale = (owner: KubeObject, resource: Resource) =>
    owners.some((reference) => refersTo(reference, owner, resource) && reference.uid !== owner.metadata?.uid);
  if (isStale(set, statefulSets) || isStale(pod, pods)) return undefined;

  const { whenDeleted = "Retain", whenScaled = "Retain" } =
    set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const others = owners.filter(
    (reference) => !refersTo(reference, set, statefulSets) && !refersTo(reference, pod, pods),
  );
  const isForeign =
    (whenDeleted === "Delete" || whenScaled === "Delete") && others.some(({ controller }) => controller);
  const isScaledAway = whenScaled === "Delete" && !isWanted(set, pod);
  const wanted = isForeign
    ? []
    : isScaledAway
      ? [controllerRef(pod, pods)]
      : whenDeleted === "Delete"
        ? [controllerRef(set, statefulSets)]
        : [];
  const current = owners.filter((reference) => !others.includes(reference));
  const isRight =
    current.length === wanted.length &&
    wanted.every(({ uid }) =>
      current.some((reference) => reference.uid === uid && reference.controller === true),
    );
  return isRight ? undefined : [...others, ...wanted];
}

/**
 * Whether a claim still belongs to a Pod that was scaled away. A new Pod of that name waits until the claim
 * is deleted.
 */
export function isStaleClaim(set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled !== "Delete") return false;
  return (claim.metadata?.ownerReferences ?? []).some(
    (reference) => refersTo(reference, pod, pods) && reference.uid !== pod.metadata?.uid,
  );
}

function refersTo(
  { apiVersion, kind, name }: OwnerReference,
  owner: KubeObject,
  resource: Resource,
): boolean {
  return apiVersion === apiVersionOf(resource) && kind === resource.kind && name === nameOf(owner);
}

export type StatefulSetStatus = NonNullable<StatefulSet["status"]>;

interface Revisions {
  /** Names of ControllerRevisions. */
  current: string;
  update: string;
  collisionCount: number;
}

function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === "Running" && isReady(pod);
}

/** Whether a Pod has been ready for minReadySeconds and is not terminating. */
function isAvailable(set: StatefulSet, pod: Pod, now: number): boolean {
  return (
    isRunningAndReady(pod) &&
    !isBeingDeleted(pod) &&
    millisecondsUntilAvailable(pod, set.spec?.minReadySeconds ?? 0, now) === 0
  );
}

/** Builds the status from the observed Pods, including the end of a rollout. */
export function statefulSetStatus(
  set: StatefulSet,
  pods: Pod[],
  { current, update, collisionCount }: Revisions,
  now: number,
): StatefulSetStatus {
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const ready = pods.filter(isRunningAndReady);
  const available = ready.filter((pod) => millisecondsUntilAvailable(pod, minReadySeconds, now) === 0);
  const staying = pods.filter((pod) => !isBeingDeleted(pod));
  const atRevision = (revision: string) => staying.filter((pod) => podRevision(pod) === revision).length;
  const updated = atRevision(update);
  const wanted = desiredReplicas(set);
  const isComplete =
    set.spec?.updateStrategy?.type === "RollingUpdate" &&
    updated === wanted &&
    pods.length === wanted &&
    ready.length === wanted;
  return {
    ...nonZero("observedGeneration", set.metadata?.generation),
    replicas: pods.length,
    ...nonZero("readyReplicas", ready.length),
    ...nonZero("currentReplicas", isComplete ? updated : atRevision(current)),
    ...nonZero("updatedReplicas", updated),
    currentRevision: isComplete ? update : current,
    updateRevision: update,
    collisionCount,
    availableReplicas: available.length,
  };
}
