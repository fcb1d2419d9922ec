import { isDeepStrictEqual } from "node:util";
import { ApiStatusError, forbidden, notFound, quote, quoted } from "../../apimachinery/errors.ts";
import { type ApiObject, isJsonObject } from "../../lib/json/json.ts";
import type { Authorizer } from "../../server/auth/authorizer.ts";
import type { UserInfo } from "../../server/auth/user.ts";
import { isPrivileged } from "../../server/auth/user.ts";
import type { Scope } from "../../server/registry/scope.ts";
import { describeRules, uncovered } from "./covers.ts";
import { type PolicyRule, parseRoleRef, parseRules, type RuleResolver, rbacGroup } from "./policy-rule.ts";

// A user cannot grant permissions that they do not have (the policy-based storages of pkg/registry/rbac).

/** Decides whether a user may grant permissions. */
export interface GrantContext {
  readonly authorize: Authorizer;
  readonly rbac: RuleResolver;
}

const everything: PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
  { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
];

/**
 * Checks the author of a Role or ClusterRole: they must have all its permissions, or the verb `escalate`.
 * @throws ApiStatusError 403
 */
export function checkRole(
  draft: ApiObject,
  old: ApiObject | undefined,
  context: GrantContext,
  scope: Scope,
): void {
  const { type, namespace, name, request } = scope;
  const { user } = request;
  if (isPrivileged(user)) return;
  const attributes = {
    verb: "escalate",
    group: type.group,
    version: "*",
    resource: type.plural,
    namespace,
    name,
  };
  if (context.authorize({ user, ...attributes }).allowed) return;
  if (old !== undefined && changesOnlyCollectorFields(draft, old)) return;
  const refuse = (why: string) => forbidden(type.group, type.plural, draft.metadata.name ?? "", why);
  const why = escalation(context, user, namespace, parseRules(draft.rules));
  if (why !== undefined) throw refuse(why);
  const aggregates = hasAggregation(draft) || (old !== undefined && hasAggregation(old));
  if (aggregates && escalation(context, user, namespace, everything) !== undefined) {
    throw refuse("must have cluster-admin privileges to use the aggregationRule");
  }
}

/**
 * Checks the author of a RoleBinding or ClusterRoleBinding: they must have all permissions of its role, or
 * the verb `bind` on it.
 * @throws ApiStatusError 403, or 404 when the role does not exist
 */
export function checkBinding(
  draft: ApiObject,
  old: ApiObject | undefined,
  context: GrantContext,
  scope: Scope,
): void {
  const { type, namespace, request } = scope;
  const { user } = request;
  if (isPrivileged(user) || (old !== undefined && changesOnlyCollectorFields(draft, old))) return;
  const roleRef = parseRoleRef(draft.roleRef);
  const resource = { Role: "roles", ClusterRole: "clusterroles" }[roleRef.kind];
  // Validation reports these cases.
  if (resource === undefined || roleRef.name === "" || (resource === "roles" && namespace === "")) return;
  const attributes = {
    verb: "bind",
    group: roleRef.apiGroup,
    version: "*",
    resource,
    namespace,
    name: roleRef.name,
  };
  if (context.authorize({ user, ...attributes }).allowed) return;
  let rules: readonly PolicyRule[];
  try {
    rules = context.rbac.roleRules(roleRef, namespace);
  } catch (error) {
    // A real server's storage knows only the type that it stores.
    if (error instanceof ApiStatusError) throw notFound(rbacGroup, type.plural, roleRef.name);
    throw error;
  }
  const why = escalation(context, user, namespace, rules);
  if (why !== undefined) throw forbidden(type.group, type.plural, draft.metadata.name ?? "", why);
}

/**
 * Returns why the user may not grant the rules, or undefined when they have them all (ConfirmNoEscalation).
 */
function escalation(
  { rbac }: GrantContext,
  user: UserInfo,
  namespace: string,
  rules: readonly PolicyRule[],
): string | undefined {
  const owned = rbac.rulesFor(user, namespace);
  const missing = uncovered(owned.rules, rules);
  if (missing.length === 0) return undefined;
  const who = `user ${quote(user.username)} (groups=${quoted(user.groups)})`;
  const what = `is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}`;
  const errors = owned.errors.length === 0 ? "" : `; resolution errors: [${owned.errors.join(" ")}]`;
  return `${who} ${what}${errors}`;
}

function hasAggregation({ aggregationRule }: ApiObject): boolean {
  const selectors = isJsonObject(aggregationRule) ? aggregationRule.clusterRoleSelectors : undefined;
  return Array.isArray(selectors) && selectors.length > 0;
}

/** Returns whether an update changes only fields of the garbage collector (IsOnlyMutatingGCFields). */
function changesOnlyCollectorFields(draft: ApiObject, old: ApiObject): boolean {
  const rest = ({ metadata, ...members }: ApiObject) => {
    const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...others } = metadata;
    return { ...members, metadata: others };
  };
  return isDeepStrictEqual(rest(draft), rest(old));
}
