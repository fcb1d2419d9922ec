import { isDeepStrictEqual } from "node:util";
import type { ApiObject, OwnerReference } from "../../lib/json/json.ts";
import {
  type AdmissionAttributes,
  type AdmissionContext,
  type AdmissionPlugin,
  forbiddenBy,
} from "../../server/admission/admission.ts";
import type { AccessAttributes } from "../../server/auth/authorizer.ts";
import { isPrivileged } from "../../server/auth/user.ts";

/**
 * Checks permissions of users who set owner references (plugin/pkg/admission/gc). An object with an owner may
 * be deleted with it, so the user must be allowed to delete the object. With blockOwnerDeletion the object
 * delays its owner's deletion, so the user must be allowed to set finalizers on the owner.
 */
export const ownerReferencesPermissionEnforcement: AdmissionPlugin = {
  name: "OwnerReferencesPermissionEnforcement",
  validate(attributes, context) {
    const { operation, object, old, type, subresource, user } = attributes;
    if ((operation !== "CREATE" && operation !== "UPDATE") || isPrivileged(user)) return;
    if (type.group === "" && type.plural === "pods" && subresource === "status") return;
    const owners = ownersOf(object);
    if (object === undefined || isDeepStrictEqual(owners, ownersOf(old))) return;
    if (operation === "UPDATE") checkDelete(attributes, context);
    const before = new Map(ownersOf(old).map((owner) => [owner.uid, owner]));
    const blocking = owners.filter(
      (owner) => owner.blockOwnerDeletion === true && before.get(owner.uid)?.blockOwnerDeletion !== true,
    );
    const anything = { group: "*", version: "*", resource: "*", subresource: "finalizers", name: "*" };
    if (blocking.length === 0 || context.authorize({ user, verb: "update", ...anything }).allowed) return;
    for (const owner of blocking) checkFinalizers(attributes, context, owner);
  },
};

/** Checks that the user may delete the object, if owner references are added. @throws ApiStatusError 403 */
function checkDelete(attributes: AdmissionAttributes, context: AdmissionContext): void {
  const { type, subresource, namespace, name, user } = attributes;
  const access: AccessAttributes = {
    user,
    verb: "delete",
    group: type.group,
    version: type.version,
    resource: type.plural,
    subresource,
    namespace,
    name,
  };
  const { allowed, reason = "" } = context.authorize(access);
  if (allowed) return;
  // Go prints "no error" as `<nil>`.
  throw forbiddenBy(attributes, `cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`);
}

/** Checks that the user may set finalizers on owners that the object blocks. @throws ApiStatusError 403 */
function checkFinalizers(
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  owner: OwnerReference,
): void {
  const { namespace, user } = attributes;
  const { apiVersion, kind, name } = owner;
  const slash = apiVersion.indexOf("/");
  const group = apiVersion.slice(0, Math.max(0, slash));
  const version = apiVersion.slice(slash + 1);
  const types = context.registry
    .resources()
    .filter((type) => type.group === group && type.version === version && type.kind === kind);
  if (types.length === 0) {
    const why = `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`;
    const what = `cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}`;
    throw forbiddenBy(attributes, `cannot set blockOwnerDeletion in this case because ${what}: ${why}`);
  }
  for (const type of types) {
    const { allowed, reason = "" } = context.authorize({
      user,
      verb: "update",
      group,
      version,
      resource: type.plural,
      subresource: "finalizers",
      namespace: type.namespaced ? namespace : "",
      name,
    });
    if (allowed) continue;
    const what =
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
    throw forbiddenBy(attributes, `${what}: ${reason}, <nil>`);
  }
}

function ownersOf(object: ApiObject | undefined): readonly OwnerReference[] {
  return object?.metadata?.ownerReferences ?? [];
}
