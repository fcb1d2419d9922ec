import {
  type FrozenObject,
  type KubeObject,
  type PatchBodies,
  type PatchType,
  UsageError,
} from "@operator-path/client";
import { createMergePatch } from "./merge-patch.ts";
import { isMetadataAlone, refuseMetadataAlone } from "./metadata-only.ts";
import { createStrategicMergePatch } from "./strategic-merge/create-patch.ts";

/** A change to an object, as it is sent (Go: client.Patch). Made by `mergeFrom`, `strategicMergeFrom`, `rawPatch`. */
export interface Patch<T extends KubeObject = KubeObject> {
  readonly type: PatchType;
  /** The patch's body: JSON. `object` is what was given to `client.patch`: the object as it is wanted. */
  data(object: T): unknown;
}

export interface MergeFromOptions {
  /**
   * The patch is refused with a Conflict when the object has changed since `original` was read. Where lists are changed
   * it should be true: a merge patch replaces a list as a whole, and with it what others have put into it meanwhile.
   */
  optimisticLock?: boolean | undefined;
}

/**
 * What is different between the object as it was read and the object as it is wanted, as a JSON merge patch
 * (Go: client.MergeFrom, MergeFromWithOptimisticLock).
 *
 * `await client.patch({ ...pod, metadata: { ...pod.metadata, labels } }, mergeFrom(pod));`
 */
export function mergeFrom<T extends KubeObject>(
  original: T | FrozenObject<T>,
  options: MergeFromOptions = {},
): Patch<T> {
  return {
    type: "merge",
    data: (wanted) => locked(original, createMergePatch(original, comparable(original, wanted)), options),
  };
}

/**
 * The same as a strategic merge patch, which merges lists item by item (a container by its name), so that what others have
 * put into one stays (Go: client.StrategicMergeFrom). Of built-in kinds only: a server refuses it for those of CRDs.
 *
 * @throws UsageError, when the patch is made, where it is not known how the server merges a list that has changed
 */
export function strategicMergeFrom<T extends KubeObject>(
  original: T | FrozenObject<T>,
  options: MergeFromOptions = {},
): Patch<T> {
  return {
    type: "strategic",
    data: (wanted) =>
      locked(original, createStrategicMergePatch(original, comparable(original, wanted)), options),
  };
}

/**
 * Returns a patch with this body (Go: client.RawPatch). In `client.patch(object, rawPatch(…))` the compiler checks the body
 * against the type of the object.
 */
export function rawPatch<Type extends PatchType, T extends KubeObject = KubeObject>(
  type: Type,
  data: PatchBodies<NoInfer<T>>[Type],
): Patch<T> {
  return { type, data: () => data };
}

/** @throws UsageError when of the wanted object only the metadata is known: the patch would remove the rest */
function comparable<T extends KubeObject>(original: KubeObject, wanted: T): T {
  if (!isMetadataAlone(original)) refuseMetadataAlone(wanted);
  return wanted;
}

/** @throws UsageError when there is no version to lock to */
export function locked(
  original: KubeObject,
  patch: Record<string, unknown>,
  { optimisticLock = false }: MergeFromOptions,
): Record<string, unknown> {
  if (!optimisticLock) return patch;
  const { resourceVersion } = original.metadata ?? {};
  if (!resourceVersion) {
    throw new UsageError(
      "optimisticLock needs the resourceVersion of the original: take an object that was read from the server",
    );
  }
  const metadata = (patch.metadata ?? {}) as Record<string, unknown>;
  return { ...patch, metadata: { ...metadata, resourceVersion } };
}
