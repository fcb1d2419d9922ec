import type { KubeObject, Resource } from "@operator-path/client";
import type { Write } from "../cache/write.ts";
import { objectKeyOf } from "./object-key.ts";

/** What a cache has to know of a create, update or patch that was answered so. */
export function noteOf(resource: Resource, answer: KubeObject): Write {
  const { resourceVersion, uid } = answer.metadata ?? {};
  const key = objectKeyOf(answer);
  // The last finalizer was taken away: what the server answers with is what it has just deleted.
  const removed = isGone(answer) ? uid : undefined;
  return { resource, key, resourceVersion, object: answer, removed };
}

/**
 * Of a delete: the answer is the object while it lingers, a Status or the object's last state when it is gone.
 *
 * @param object what the caller wanted to be deleted
 */
export function deletionNoteOf(resource: Resource, object: KubeObject, answer: KubeObject): Write {
  const key = objectKeyOf(object);
  if (answer.kind !== "Status" && answer.metadata?.uid) {
    const { resourceVersion, uid, deletionTimestamp } = answer.metadata;
    const removed = !deletionTimestamp || isGone(answer) ? uid : undefined;
    return { resource, key, resourceVersion, removed };
  }
  const { details } = answer as { details?: { uid?: string } };
  const removed = details?.uid ?? object.metadata?.uid;
  return { resource, key, resourceVersion: object.metadata?.resourceVersion, removed };
}

/** It is being deleted, and nothing holds it up any more. */
function isGone({ metadata, ...object }: KubeObject & { spec?: { finalizers?: string[] } }): boolean {
  if (!metadata?.deletionTimestamp || (metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  // Namespaces have theirs in the spec.
  return (metadata.finalizers ?? []).length === 0 && (object.spec?.finalizers ?? []).length === 0;
}
