import {
  approximate,
  type PersistentVolume,
  type PersistentVolumeClaim,
  parseQuantity,
  type Quantity,
  type StorageClass,
} from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";
import { nameOf, namespaceOf, uidOf } from "../objects.ts";

export const selectedNodeAnnotation = "volume.kubernetes.io/selected-node";
export const provisionerAnnotation = "volume.kubernetes.io/storage-provisioner";
export const provisionerBetaAnnotation = "volume.beta.kubernetes.io/storage-provisioner";
export const bindCompletedAnnotation = "pv.kubernetes.io/bind-completed";
export const boundByControllerAnnotation = "pv.kubernetes.io/bound-by-controller";
export const provisionedByAnnotation = "pv.kubernetes.io/provisioned-by";
const defaultClassAnnotation = "storageclass.kubernetes.io/is-default-class";

/** Whether the claim and its volume name each other. */
export function isBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  return Boolean(spec?.volumeName) && metadata?.annotations?.[bindCompletedAnnotation] !== undefined;
}

/** Whether a volume is reserved for a claim: by name, and by uid once that is set. */
export function isMeantFor({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const reference = spec?.claimRef;
  return (
    reference?.name === nameOf(claim) &&
    reference.namespace === namespaceOf(claim) &&
    (!reference.uid || reference.uid === uidOf(claim))
  );
}

/** Returns the smallest unclaimed volume that satisfies a claim. */
export function findVolume(
  claim: PersistentVolumeClaim,
  volumes: PersistentVolume[],
): PersistentVolume | undefined {
  const { accessModes = [], selector, storageClassName = "", volumeMode = "Filesystem" } = claim.spec ?? {};
  const asked = bytes(claim.spec?.resources?.requests?.storage ?? "0");
  const size = ({ spec }: PersistentVolume) => bytes(spec?.capacity?.storage ?? "0");
  return volumes
    .filter(
      ({ metadata, spec, status }) =>
        spec?.claimRef === undefined &&
        status?.phase === "Available" &&
        (spec?.storageClassName ?? "") === storageClassName &&
        (spec?.volumeMode ?? "Filesystem") === volumeMode &&
        accessModes.every((mode) => spec?.accessModes?.includes(mode)) &&
        (selector === undefined || matchLabels(selector, metadata?.labels ?? {})),
    )
    .filter((volume) => size(volume) >= asked)
    .sort((a, b) => size(a) - size(b))[0];
}

function bytes(quantity: Quantity): number {
  return approximate(parseQuantity(quantity));
}

/** Returns the default StorageClass, the newest if there are several. */
export function defaultClass(classes: StorageClass[]): StorageClass | undefined {
  return classes
    .filter(({ metadata }) => metadata?.annotations?.[defaultClassAnnotation] === "true")
    .sort((a, b) =>
      (b.metadata?.creationTimestamp ?? "").localeCompare(a.metadata?.creationTimestamp ?? ""),
    )[0];
}

export function waitsForConsumer(storageClass: StorageClass | undefined): boolean {
  return storageClass?.volumeBindingMode === "WaitForFirstConsumer";
}
