import type { KubeObject, Resource } from "@operator-path/client";
import type { Write } from "../cache/write.ts";
import { objectKeyOf } from "./object-key.ts";

/** Returns what a cache needs to know of a create, update or patch with this answer. */
export function noteOf(resource: Resource, answer: KubeObject): Write {
  const { resourceVersion, uid } = answer.metadata ?? {};
  const key = objectKeyOf(answer);
  // The write removed the last finalizer: the server returns the object that it has just deleted.
  const removed = isDeleted(answer) ? uid : undefined;
  return { resource, key, resourceVersion, object: answer, removed };
}

/**
 * Returns what a cache needs to know of a delete. The server returns the object while finalizers or a grace
 * period keep it, and a Status or the last state once it is deleted.
 *
 * @param object the object that the caller wanted to delete
 */
export function deletionNoteOf(resource: Resource, object: KubeObject, answer: KubeObject): Write {
  const key = objectKeyOf(object);
  if (answer.kind !== "Status" && answer.metadata?.uid) {
    const { resourceVersion, uid, deletionTimestamp } = answer.metadata;
    const removed = !deletionTimestamp || isDeleted(answer) ? uid : undefined;
    return { resource, key, resourceVersion, removed };
  }
  const { details } = answer as { details?: { uid?: string } };
  const removed = details?.uid ?? object.metadata?.uid;
  return { resource, key, resourceVersion: object.metadata?.resourceVersion, removed };
}

/** Returns whether the object is being deleted and nothing keeps it. */
function isDeleted({ metadata, ...object }: KubeObject & { spec?: { finalizers?: string[] } }): boolean {
  if (!metadata?.deletionTimestamp || (metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  // Namespaces have their finalizers in the spec.
  return (metadata.finalizers ?? []).length === 0 && (object.spec?.finalizers ?? []).length === 0;
}
