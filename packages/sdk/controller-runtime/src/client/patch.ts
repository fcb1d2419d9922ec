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

/** A patch for `client.patch`, made by `mergeFrom`, `strategicMergeFrom` or `rawPatch`. Go: client.Patch. */
export interface Patch<T extends KubeObject = KubeObject> {
  readonly type: PatchType;
  /** Returns the JSON body of the patch. `object` is the object that `client.patch` was called with. */
  data(object: T): unknown;
}

/** Configures `mergeFrom` and `strategicMergeFrom`. */
export interface MergeFromOptions {
  /**
   * Rejects the patch with a Conflict when the object has changed since `original` was read. Set it when the
   * patch changes lists: a merge patch replaces a whole list, including what others have added to it. Default
   * false.
   */
  optimisticLock?: boolean | undefined;
}

/**
 * Returns the difference between the object as you read it and the object as you want it, as a JSON merge
 * patch. Go: client.MergeFrom, MergeFromWithOptimisticLock.
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
 * Returns the same difference as a strategic merge patch. It merges lists item by item (a container by its
 * name), so that items which others have added stay. For built-in kinds only: servers reject it for custom
 * resources. Go: client.StrategicMergeFrom.
 *
 * @throws UsageError when the patch is created and a changed list has no known merge rule
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
 * Returns a patch with this body. In `client.patch(object, rawPatch(…))` the compiler checks the body against
 * the type of the object. Go: client.RawPatch.
 */
export function rawPatch<Type extends PatchType, T extends KubeObject = KubeObject>(
  type: Type,
  data: PatchBodies<NoInfer<T>>[Type],
): Patch<T> {
  return { type, data: () => data };
}

/**
 * @throws UsageError when only the metadata of the wanted object was read: the patch would remove the rest
 */
function comparable<T extends KubeObject>(original: KubeObject, wanted: T): T {
  if (!isMetadataAlone(original)) refuseMetadataAlone(wanted);
  return wanted;
}

/** @throws UsageError when optimisticLock is set and the original has no resourceVersion */
export function locked(
  original: KubeObject,
  patch: Record<string, unknown>,
  { optimisticLock = false }: MergeFromOptions,
): Record<string, unknown> {
  if (!optimisticLock) return patch;
  const { resourceVersion } = original.metadata ?? {};
  if (!resourceVersion) {
    throw new UsageError(
      "optimisticLock needs the resourceVersion of the original: pass an object that was read from the server",
    );
  }
  const metadata = (patch.metadata ?? {}) as Record<string, unknown>;
  return { ...patch, metadata: { ...metadata, resourceVersion } };
}
