import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@operator-path/client";
import type { Informers } from "../informers.ts";
import { isBeingDeleted, namespaceOf } from "../objects.ts";
import { isBound, waitsForConsumer } from "../volume/claims.ts";
import { matchesNodeSelector } from "./node-affinity.ts";

/** What a Pod's claims mean for where it can run. */
export interface PodVolumes {
  /** Why it can run nowhere yet, in the words of kube-scheduler. */
  refusal?: string;
  /** The volumes that it has: each may be reachable from some nodes only. */
  volumes: PersistentVolume[];
  /** Claims that get their volume when a node has been chosen. */
  waiting: PersistentVolumeClaim[];
}

export function podVolumes(pod: Pod, informers: Informers): PodVolumes {
  const result: PodVolumes = { volumes: [], waiting: [] };
  for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
    if (persistentVolumeClaim === undefined) continue;
    const { claimName } = persistentVolumeClaim;
    const quoted = JSON.stringify(claimName);
    const claim = informers.persistentVolumeClaims.lister.namespace(namespaceOf(pod)).get(claimName);
    if (claim === undefined) return { ...result, refusal: `persistentvolumeclaim ${quoted} not found` };
    if (isBeingDeleted(claim))
      return { ...result, refusal: `persistentvolumeclaim ${quoted} is being deleted` };
    if (isBound(claim)) {
      const volume = informers.persistentVolumes.lister.get(claim.spec?.volumeName ?? "");
      if (volume === undefined) {
        return { ...result, refusal: `persistentvolume ${JSON.stringify(claim.spec?.volumeName)} not found` };
      }
      result.volumes.push(volume);
    } else {
      const storageClass = informers.storageClasses.lister.get(claim.spec?.storageClassName ?? "");
      if (!waitsForConsumer(storageClass)) {
        return { ...result, refusal: "pod has unbound immediate PersistentVolumeClaims" };
      }
      result.waiting.push(claim);
    }
  }
  return result;
}

/** Whether what is known of claims and volumes is known whole: the rest of a cluster does not wait for it. */
export function volumesAreKnown({
  persistentVolumeClaims,
  persistentVolumes,
  storageClasses,
}: Informers): boolean {
  return [persistentVolumeClaims, persistentVolumes, storageClasses].every((informer) =>
    informer.hasSynced(),
  );
}

export function hasClaims({ spec }: Pod): boolean {
  return spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined) ?? false;
}

/** Whether a node reaches a volume. */
export function reachesVolume(node: Node, { spec }: PersistentVolume): boolean {
  const required = spec?.nodeAffinity?.required;
  return required === undefined || matchesNodeSelector(required, node);
}
