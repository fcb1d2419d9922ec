import { badRequest, methodNotAllowed, methodNotSupported } from "../../apimachinery/errors.ts";
import { timestamp } from "../../lib/clock.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { admitUnstored, writeAttributes } from "../../server/admission/attributes.ts";
import type { Admission } from "../../server/admission/chain.ts";
import type { Authorizer } from "../../server/auth/authorizer.ts";
import type { TokenAuthenticator } from "../../server/auth/tokens.ts";
import type { UserInfo } from "../../server/auth/user.ts";
import { jsonReply, type WholeReply } from "../../server/http/reply.ts";
import { decodeBody } from "../../server/registry/decode-body.ts";
import type { TrackingContext } from "../../server/registry/field-tracking.ts";
import { trackCreate } from "../../server/registry/field-tracking.ts";
import { parseWriteOptions } from "../../server/registry/options.ts";
import type { Scope } from "../../server/registry/scope.ts";
import type { ResourceType } from "../../server/types/resource-type.ts";
import { list, type RuleResolver } from "../rbac/policy-rule.ts";
import { reviewAccess } from "./access-reviews.ts";

/** The parts of the server that reviews use. */
export interface ReviewContext extends TrackingContext {
  readonly admission: Admission;
  readonly authorize: Authorizer;
  readonly rbac: Pick<RuleResolver, "rulesFor">;
  readonly tokens: Pick<TokenAuthenticator, "review">;
}

/** Returns whether the type is a review: a POST returns it with a status, and nothing is stored. */
export function isReview(type: ResourceType): boolean {
  return type.group === "authentication.k8s.io" || type.group === "authorization.k8s.io";
}

export async function handleReview(context: ReviewContext, scope: Scope): Promise<WholeReply> {
  const { type, request } = scope;
  if (request.method !== "POST") throw methodNotAllowed();
  const options = parseWriteOptions(request.query, "CreateOptions");
  const review = await decodeBody(context, type, request, options.fieldValidation);
  trackCreate(context, scope, review, options);
  await admitUnstored(context, writeAttributes(scope, "CREATE", review, undefined, options));
  return jsonReply(201, answer(context, scope, review));
}

/** Returns the status of a review. @throws ApiStatusError 400 or 422 when the review is invalid */
function answer(context: ReviewContext, scope: Scope, review: ApiObject): JsonObject {
  const { user } = scope.request;
  const spec = isJsonObject(review.spec) ? review.spec : {};
  switch (scope.type.kind) {
    case "SelfSubjectReview": {
      const metadata = { creationTimestamp: timestamp(context.clock.now()) };
      return { ...review, metadata, status: { userInfo: userInfo(user) } };
    }
    case "TokenReview":
      return { ...review, status: reviewToken(context, spec) };
    case "SelfSubjectAccessReview":
    case "SubjectAccessReview":
    case "LocalSubjectAccessReview":
      return { ...review, status: reviewAccess(context.authorize, scope, review, spec) };
    case "SelfSubjectRulesReview":
      // The reply does not repeat the spec.
      return {
        ...review,
        metadata: {},
        spec: {},
        status: reviewRules(context.rbac, user, text(spec.namespace)),
      };
    default:
      throw methodNotSupported(scope.type.group, scope.type.plural, "create");
  }
}

/** Returns the status of a TokenReview. @throws ApiStatusError 400 */
function reviewToken(context: ReviewContext, spec: JsonObject): JsonObject {
  const token = text(spec.token);
  if (token === "") throw badRequest("token is required for TokenReview in authentication");
  const audiences = Array.isArray(spec.audiences) ? spec.audiences.map(String) : [];
  const found = context.tokens.review(token, audiences);
  if ("error" in found) return { user: {}, error: found.error };
  return { authenticated: true, user: userInfo(found.user), audiences: [...found.audiences] };
}

function userInfo({ username, uid, groups, extra }: UserInfo): JsonObject {
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups,
    ...(extra === undefined ? {} : { extra }),
  };
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/**
 * Returns the status of a SelfSubjectRulesReview: what the user may do in a namespace and in the whole
 * cluster.
 * @throws ApiStatusError 400
 */
function reviewRules(rbac: Pick<RuleResolver, "rulesFor">, user: UserInfo, namespace: string): JsonObject {
  if (namespace === "") throw badRequest("no namespace on request");
  const { rules, errors } = rbac.rulesFor(user, namespace);
  return {
    resourceRules: rules
      .filter(({ resources }) => resources.length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs: [...verbs],
        ...(apiGroups.length === 0 ? {} : { apiGroups: [...apiGroups] }),
        resources: [...resources],
        ...(resourceNames.length === 0 ? {} : { resourceNames: [...resourceNames] }),
      })),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs: [...verbs], nonResourceURLs: [...nonResourceURLs] })),
    incomplete: false,
    ...(errors.length === 0 ? {} : { evaluationError: list(errors) }),
  };
}
