import type { UserInfo } from "../auth/user.ts";
import { timestamp } from "../clock.ts";
import { invalid, methodNotAllowed, methodNotSupported } from "../errors.ts";
import { jsonReply, type WholeReply } from "../http/reply.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { ResourceType } from "../types/resource-type.ts";
import type { ApiContext, Scope } from "./context.ts";
import { parseWriteOptions } from "./options.ts";
import { decodeBody } from "./semantics.ts";

/** Kinds that are asked, and not stored: what a POST sends comes back with a status. */
export function isReview(type: ResourceType): boolean {
  return type.group === "authentication.k8s.io" || type.group === "authorization.k8s.io";
}

export async function handleReview(context: ApiContext, scope: Scope): Promise<WholeReply> {
  const { type, request } = scope;
  if (request.method !== "POST") throw methodNotAllowed();
  const { fieldValidation } = parseWriteOptions(request.query, "CreateOptions");
  const review = await decodeBody(context, type, request, fieldValidation);
  const spec = isJsonObject(review.spec) ? review.spec : {};
  const status = answer(context, scope, spec);
  if (type.kind !== "SelfSubjectReview") return jsonReply(201, { ...review, status });
  const metadata = { ...review.metadata, creationTimestamp: timestamp(context.clock.now()) };
  return jsonReply(201, { ...review, metadata, status });
}

function refused(field: string, message: string) {
  return invalid("authorization.k8s.io", "", "", [{ reason: "FieldValueInvalid", message, field }]);
}

function answer(context: ApiContext, scope: Scope, spec: JsonObject): JsonObject {
  const { user } = scope.request;
  switch (scope.type.kind) {
    case "SelfSubjectReview":
      return { userInfo: userInfo(user) };
    case "TokenReview": {
      const found = context.tokens.authenticate(text(spec.token));
      if (found === undefined) return { user: {}, error: "invalid bearer token" };
      return { authenticated: true, user: userInfo(found) };
    }
    case "SelfSubjectAccessReview":
      return access(context, user, spec);
    case "SubjectAccessReview":
    case "LocalSubjectAccessReview": {
      const groups = Array.isArray(spec.groups) ? spec.groups.map(String) : [];
      if (text(spec.user) === "" && groups.length === 0) {
        throw refused("spec.user", 'Invalid value: "": at least one of user or group must be specified');
      }
      return access(context, { username: text(spec.user), groups }, spec);
    }
    case "SelfSubjectRulesReview":
      return {
        resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
        nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
        incomplete: false,
      };
    default:
      throw methodNotSupported(scope.type.group, scope.type.plural, "create");
  }
}

function access(context: ApiContext, user: UserInfo, spec: JsonObject): JsonObject {
  const resource = isJsonObject(spec.resourceAttributes) ? spec.resourceAttributes : undefined;
  const path = isJsonObject(spec.nonResourceAttributes) ? spec.nonResourceAttributes : undefined;
  const attributes = resource ?? path;
  if (attributes === undefined) {
    const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    throw refused("spec.resourceAttributes", `Invalid value: null: ${why}`);
  }
  const { allowed, reason } = context.authorize({
    user,
    verb: text(attributes.verb),
    ...(resource === undefined
      ? { path: text(attributes.path) }
      : {
          group: text(resource.group),
          version: text(resource.version),
          resource: text(resource.resource),
          subresource: text(resource.subresource),
          namespace: text(resource.namespace),
          name: text(resource.name),
        }),
  });
  return { allowed, ...(reason === undefined ? {} : { reason }) };
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
