import {
  type Ask,
  authorizerType,
  createAuthorizer,
  createResourceCheck,
  resourceCheckType,
} from "../../../lib/cel/library/authorizer.ts";
import { type CelType, dyn } from "../../../lib/cel/types.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import type { AccessAttributes } from "../../auth/authorizer.ts";
import type { UserInfo } from "../../auth/user.ts";
import type { AdmissionAttributes, AdmissionContext } from "../admission.ts";
import { createReview, type Match, type ReviewedObjects } from "../webhooks/review.ts";

/** The values of an expression's variables, by name: see `celVariables`. */
export type Activation = Record<string, unknown>;

/** The types of the variables in expressions of webhooks and policies. */
export const celVariables: Readonly<Record<string, CelType>> = {
  object: dyn,
  oldObject: dyn,
  request: dyn,
  params: dyn,
  namespaceObject: dyn,
  variables: dyn,
  authorizer: authorizerType,
  "authorizer.requestResource": resourceCheckType,
};

/** Returns the values for one request. Missing objects are null. */
export function activationOf(
  attributes: AdmissionAttributes,
  match: Match,
  objects: ReviewedObjects,
  context: AdmissionContext,
): Activation {
  const review = createReview("", "v1", attributes, match, { object: undefined, old: undefined });
  const { uid: _uid, object: _object, oldObject: _oldObject, ...request } = review.request as JsonObject;
  return {
    object: objects.object ?? null,
    oldObject: objects.old ?? null,
    request: { name: "", namespace: "", subResource: "", requestSubResource: "", ...request },
    params: null,
    namespaceObject: () => namespaceObject(attributes, context),
    variables: {},
    authorizer: () => createAuthorizer(createAsk(attributes, context)),
    "authorizer.requestResource": () => {
      const { type, subresource, namespace, name } = attributes;
      const resource = { group: type.group, resource: type.plural, subresource, namespace, name };
      return createResourceCheck(createAsk(attributes, context), resource);
    },
  };
}

/**
 * Returns a function that checks permissions of the request's user, or of a ServiceAccount that the
 * expression names.
 */
function createAsk({ user }: AdmissionAttributes, context: AdmissionContext): Ask {
  return ({ serviceAccount, verb, path, group, resource, subresource, namespace, name }) => {
    const { allowed, reason = "" } = context.authorize({
      user: serviceAccount === undefined ? user : accountUser(serviceAccount),
      verb,
      ...(path === undefined ? { group, version: "*", resource, subresource, namespace, name } : { path }),
    } as AccessAttributes);
    return { allowed, reason };
  };
}

function accountUser({ namespace, name }: { namespace: string; name: string }): UserInfo {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
  };
}

/**
 * Returns the namespace of the request with the fields that expressions may read, or null without a
 * namespace.
 */
function namespaceObject(
  { type, namespace }: AdmissionAttributes,
  { store }: Pick<AdmissionContext, "store">,
): JsonObject | null {
  if (namespace === "" || (type.group === "" && type.plural === "namespaces")) return null;
  const found: ApiObject | undefined = store.get("namespaces", namespace)?.object;
  if (found === undefined) return null;
  const { managedFields: _managed, ownerReferences: _owners, selfLink: _link, ...metadata } = found.metadata;
  return {
    metadata,
    ...(isJsonObject(found.spec) ? { spec: found.spec } : {}),
    ...(isJsonObject(found.status) ? { status: found.status } : {}),
  };
}
