import { invalid, type StatusCause } from "../../apimachinery/errors.ts";
import { invalid as invalidValue } from "../../apimachinery/validation/cause.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import type { AccessAttributes, Authorizer } from "../../server/auth/authorizer.ts";
import type { UserInfo } from "../../server/auth/user.ts";
import { checkNamespace } from "../../server/registry/metadata.ts";
import type { Scope } from "../../server/registry/scope.ts";
import { selectorErrors, validateSelectors } from "./access-selectors.ts";

/**
 * Returns the status of a SubjectAccessReview, SelfSubjectAccessReview or LocalSubjectAccessReview.
 * @throws ApiStatusError 400 or 422, with the messages of pkg/apis/authorization/validation
 */
export function reviewAccess(
  authorize: Authorizer,
  scope: Scope,
  review: ApiObject,
  spec: JsonObject,
): JsonObject {
  const { kind } = scope.type;
  if (kind === "LocalSubjectAccessReview") checkNamespace(review, scope);
  const causes = [...validateSpec(spec, kind), ...validatePlace(review, spec, kind)];
  // A real server's message omits the kind as well.
  if (causes.length > 0) throw invalid("authorization.k8s.io", "", "", causes);
  const user = kind === "SelfSubjectAccessReview" ? scope.request.user : subjectOf(spec);
  const { allowed, reason } = authorize(attributesOf(user, spec));
  const evaluationError = isJsonObject(spec.resourceAttributes)
    ? selectorErrors(spec.resourceAttributes)
    : "";
  return {
    allowed,
    ...(reason === undefined ? {} : { reason }),
    ...(evaluationError === "" ? {} : { evaluationError }),
  };
}

function subjectOf({ user, uid, groups, extra }: JsonObject): UserInfo {
  return {
    username: text(user),
    ...(text(uid) === "" ? {} : { uid: text(uid) }),
    groups: texts(groups),
    ...(isJsonObject(extra)
      ? { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, texts(values)])) }
      : {}),
  };
}

function attributesOf(user: UserInfo, spec: JsonObject): AccessAttributes {
  const { resourceAttributes: resource, nonResourceAttributes: other } = spec;
  if (!isJsonObject(resource)) {
    const { verb, path } = isJsonObject(other) ? other : {};
    return { user, verb: text(verb), path: text(path) };
  }
  return {
    user,
    verb: text(resource.verb),
    group: text(resource.group),
    version: text(resource.version) || "*",
    resource: text(resource.resource),
    subresource: text(resource.subresource),
    namespace: text(resource.namespace),
    name: text(resource.name),
  };
}

function validateSpec(spec: JsonObject, kind: string): StatusCause[] {
  const { resourceAttributes: resource, nonResourceAttributes: other } = spec;
  const causes: StatusCause[] = [];
  if (isJsonObject(resource) && isJsonObject(other)) {
    const why = "cannot be specified in combination with resourceAttributes";
    causes.push(invalidValue("spec.nonResourceAttributes", goAttributes(other), why));
  }
  if (!isJsonObject(resource) && !isJsonObject(other)) {
    const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    causes.push(invalidValue("spec.resourceAttributes", null, why));
  }
  if (kind !== "SelfSubjectAccessReview" && text(spec.user) === "" && texts(spec.groups).length === 0) {
    causes.push(invalidValue("spec.user", "", "at least one of user or group must be specified"));
  }
  if (!isJsonObject(resource)) return causes;
  return [...causes, ...validateSelectors(resource)];
}

/**
 * Validates the metadata of a review, which must be empty. A LocalSubjectAccessReview must name its own
 * namespace.
 */
function validatePlace(review: ApiObject, spec: JsonObject, kind: string): StatusCause[] {
  const { managedFields: _none, ...metadata } = review.metadata;
  const isLocal = kind === "LocalSubjectAccessReview";
  const causes: StatusCause[] = [];
  if (Object.keys(metadata).some((field) => !isLocal || field !== "namespace")) {
    const why = isLocal ? "must be empty except for namespace" : "must be empty";
    causes.push(invalidValue("metadata", review.metadata, why));
  }
  if (!isLocal) return causes;
  const { resourceAttributes: resource, nonResourceAttributes: other } = spec;
  if (isJsonObject(resource) && text(resource.namespace) !== text(metadata.namespace)) {
    const field = "spec.resourceAttributes.namespace";
    causes.push(invalidValue(field, text(resource.namespace), "must match metadata.namespace"));
  }
  if (isJsonObject(other)) {
    causes.push(
      invalidValue("spec.nonResourceAttributes", goAttributes(other), "disallowed on this kind of request"),
    );
  }
  return causes;
}

/** Formats the attributes as Go prints the struct. */
function goAttributes({ path, verb }: JsonObject): JsonObject {
  return { Path: text(path), Verb: text(verb) };
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
