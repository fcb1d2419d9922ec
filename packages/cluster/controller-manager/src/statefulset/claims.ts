import {
  apiVersionOf,
  type KubeObject,
  type OwnerReference,
  type PersistentVolumeClaim,
  type Pod,
  pods,
  type Resource,
  type StatefulSet,
  statefulSets,
} from "@operator-path/client";
import { nameOf, namespaceOf } from "../objects.ts";
import { controllerRef } from "../ownership.ts";
import { claimName, isWanted, ordinalOf } from "./identity.ts";

/** The claims that a Pod of the StatefulSet needs, as they are created. */
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
 * The owners that a claim is to have under the StatefulSet's retention policy; undefined when they are right already, or
 * not to be touched: a claim that an earlier StatefulSet or Pod of the same name still owns is the garbage collector's.
 * A claim that goes with its Pod belongs to the Pod only once that is scaled away. (KEP-1847.)
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
  const isCondemned = whenScaled === "Delete" && !isWanted(set, pod);
  const wanted = isForeign
    ? []
    : isCondemned
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

/** Whether a claim still belongs to a Pod that was scaled away: a new Pod of that name waits until it has gone too. */
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
