import { badRequest } from "../../apimachinery/errors.ts";
import { type Clock, timestamp } from "../../lib/clock.ts";
import type { ApiObject, ObjectMeta } from "../../lib/json/json.ts";
import type { Scope } from "./scope.ts";

/** Fields that only the server sets. Values from clients are dropped. */
const systemFields = [
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "resourceVersion",
  "selfLink",
] as const;

export function dropSystemFields(metadata: ObjectMeta): void {
  for (const field of systemFields) delete metadata[field];
}

export function fillSystemFields(
  { clock, uuid }: { readonly clock: Clock; readonly uuid: () => string },
  metadata: ObjectMeta,
): void {
  metadata.uid = uuid();
  metadata.creationTimestamp = timestamp(clock.now());
}

/** Letters that form no words (k8s.io/apimachinery/pkg/util/rand). */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** Appends five random characters to the prefix, which is cut so that the name has at most 63. */
export function generateName(prefix: string, random: () => number): string {
  let suffix = "";
  for (let index = 0; index < 5; index++) suffix += alphabet[Math.floor(random() * alphabet.length)];
  return prefix.slice(0, 63 - suffix.length) + suffix;
}

/** Checks the namespace. @throws ApiStatusError 400 when object and URL differ */
export function checkNamespace(object: ApiObject, scope: Scope): void {
  const { metadata } = object;
  if (!scope.type.namespaced) {
    delete metadata.namespace;
    return;
  }
  if (metadata.namespace === undefined || metadata.namespace === "") metadata.namespace = scope.namespace;
  else if (metadata.namespace !== scope.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/** Checks the name. @throws ApiStatusError 400 when object and URL differ */
export function checkName(object: ApiObject, name: string): void {
  const { name: stated } = object.metadata;
  if (stated === undefined || stated === "") {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (stated !== name) {
    throw badRequest(`the name of the object (${stated}) does not match the name on the URL (${name})`);
  }
}

/** Removes empty maps and lists, like Go's omitempty. */
export function tidyMetadata(metadata: ObjectMeta): void {
  for (const field of ["labels", "annotations", "finalizers", "ownerReferences"] as const) {
    const value = metadata[field];
    if (value === null || (typeof value === "object" && Object.keys(value).length === 0))
      delete metadata[field];
  }
  for (const [field, value] of Object.entries(metadata)) {
    if (value === undefined || value === null || value === "") delete metadata[field];
    if (field === "generation" && value === 0) delete metadata[field];
  }
}

/** Restores the fields that an update cannot change (rest.BeforeUpdate). */
export function keepSystemFields(draft: ObjectMeta, old: ObjectMeta): void {
  if (draft.uid === undefined || draft.uid === "") draft.uid = old.uid as string;
  if (draft.name === undefined) draft.name = old.name as string;
  if (old.namespace !== undefined) draft.namespace = old.namespace;
  draft.resourceVersion = old.resourceVersion as string;
  for (const field of ["creationTimestamp", "generation", "deletionTimestamp"] as const) {
    const value = old[field];
    if (value === undefined) delete draft[field];
    else Object.assign(draft, { [field]: value });
  }
  if (old.deletionTimestamp === undefined) delete draft.deletionGracePeriodSeconds;
  else if (draft.deletionGracePeriodSeconds === undefined && old.deletionGracePeriodSeconds !== undefined) {
    draft.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
  delete draft.selfLink;
}
