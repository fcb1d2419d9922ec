import { type KubeObject, type Resource, UsageError } from "@operator-path/client";
import { conflict, groupResource, invalid, notFound } from "../../client/status-errors.ts";
import { allowsUnconditionalUpdate, isBuiltIn } from "./kinds.ts";
import type { Stored } from "./objects.ts";

export function checkVersion(
  resource: Resource,
  object: KubeObject,
  old: Stored,
  unconditional: boolean,
): void {
  const { resourceVersion, uid, name = "" } = object.metadata ?? {};
  if (uid && uid !== old.metadata.uid) {
    throw conflict(resource, name, otherUid(uid, old.metadata.uid));
  }
  if (resourceVersion && resourceVersion !== old.metadata.resourceVersion) {
    const why = "the object has been modified; please apply your changes to the latest version and try again";
    throw conflict(resource, name, why);
  }
  if (!resourceVersion && !unconditional && !allowsUnconditionalUpdate(resource)) {
    throw invalid(
      resource,
      name,
      "metadata.resourceVersion",
      "Invalid value: 0: must be specified for an update",
    );
  }
}

export function checkFinalizers(resource: Resource, wanted: KubeObject, old: Stored): void {
  if (!old.metadata.deletionTimestamp) return;
  const before = old.metadata.finalizers ?? [];
  const added = (wanted.metadata?.finalizers ?? []).filter((finalizer) => !before.includes(finalizer));
  if (added.length === 0) return;
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
  throw invalid(
    resource,
    old.metadata.name,
    "metadata.finalizers",
    `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
  );
}

export const otherUid = (asked: string, found = "") =>
  `Precondition failed: UID in precondition: ${asked}, UID in object meta: ${found}`;

/** Only a deletion sets deletionTimestamp, and an update keeps it. */
export function checkDeletionTimestamp(resource: Resource, { metadata }: KubeObject, old: Stored): void {
  if (!metadata?.deletionTimestamp || old.metadata.deletionTimestamp) return;
  throw invalid(
    resource,
    old.metadata.name,
    "metadata.deletionTimestamp",
    `Invalid value: ${JSON.stringify(metadata.deletionTimestamp)}: field is immutable (client.delete sets it)`,
  );
}

/** A server's 404 would look like a deleted object and hide the real reason. */
export function noStatus(resource: Resource, name: string): Error {
  if (isBuiltIn(resource)) return notFound(resource, name);
  return new UsageError(
    `the fake client has no status subresource for ${groupResource(resource)}: call createFakeClient({ statusSubresources: [${resource.plural}] }) if the CRD has one, otherwise update the object itself`,
  );
}
