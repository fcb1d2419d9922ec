import type { StatusCause } from "../errors.ts";
import type { ApiObject } from "../json.ts";
import { isDns1123Label, isPathSegment } from "./names.ts";
import { validateObjectMeta } from "./object-meta.ts";

export interface ObjectType {
  group: string;
  version: string;
  kind: string;
  namespaced: boolean;
}

export interface ValidationContext {
  /** The object before an update. */
  old?: ApiObject | undefined;
  /** "" or "status". */
  subresource?: string | undefined;
}

/** What names of a kind are like, where it is not a lowercase RFC 1123 subdomain. */
const nameRules: Record<string, (name: string) => string[]> = {
  "/Namespace": isDns1123Label,
  "/Service": isDns1123Label,
  "rbac.authorization.k8s.io/Role": isPathSegment,
  "rbac.authorization.k8s.io/RoleBinding": isPathSegment,
  "rbac.authorization.k8s.io/ClusterRole": isPathSegment,
  "rbac.authorization.k8s.io/ClusterRoleBinding": isPathSegment,
};

/** Checks a built-in object that is about to be stored, defaults included. @returns nothing where it may be */
export function validateObject(
  object: ApiObject,
  type: ObjectType,
  { old }: ValidationContext,
): StatusCause[] {
  const name = nameRules[`${type.group}/${type.kind}`];
  return validateObjectMeta(object.metadata, "metadata", {
    namespaced: type.namespaced,
    name,
    old: old?.metadata,
  });
}
