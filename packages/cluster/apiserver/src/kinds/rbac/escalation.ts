import { isDeepStrictEqual } from "node:util";
import { ApiStatusError, forbidden, notFound, quote, quoted } from "../../apimachinery/errors.ts";
import { type ApiObject, isJsonObject } from "../../lib/json/json.ts";
import type { Authorizer } from "../../server/auth/authorizer.ts";
import type { UserInfo } from "../../server/auth/user.ts";
import { isPrivileged } from "../../server/auth/user.ts";
import type { Scope } from "../../server/registry/scope.ts";
import { describeRules, uncovered } from "./covers.ts";
import { type PolicyRule, parseRoleRef, parseRules, type RuleResolver, rbacGroup } from "./policy-rule.ts";

// A user cannot grant permissions that they do not have (pkg/registry/rbac: the policy-based storages).

/** What decides whether a user may grant permissions. */
export interface GrantContext {
  readonly authorize: Authorizer;
  readonly rbac: RuleResolver;
}

const everything: PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
  { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
];

/**
 * Before a (Cluster)Role is written: its author holds all of it, or may `escalate`.
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
  if (old !== undefined && isForCollector(draft, old)) return;
  const refuse = (why: string) => forbidden(type.group, type.plural, draft.metadata.name ?? "", why);
  const why = escalation(context, user, namespace, parseRules(draft.rules));
  if (why !== undefined) throw refuse(why);
  const aggregates = hasAggregation(draft) || (old !== undefined && hasAggregation(old));
  if (aggregates && escalation(context, user, namespace, everything) !== undefined) {
    throw refuse("must have cluster-admin privileges to use the aggregationRule");
  }
}

/**
 * Before a (Cluster)RoleBinding is written: its author holds all of the role that it gives, or may `bind` that one.
 * @throws ApiStatusError 403, 404 where the role is not there
 */
export function checkBinding(
  draft: ApiObject,
  old: ApiObject | undefined,
  context: GrantContext,
  scope: Scope,
): void {
  const { type, namespace, request } = scope;
  const { user } = request;
  if (isPrivileged(user) || (old !== undefined && isForCollector(draft, old))) return;
  const roleRef = parseRoleRef(draft.roleRef);
  const resource = { Role: "roles", ClusterRole: "clusterroles" }[roleRef.kind];
  // Validation has something to say about it.
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
    // The storage of a real server knows only what it stores itself.
    if (error instanceof ApiStatusError) throw notFound(rbacGroup, type.plural, roleRef.name);
    throw error;
  }
  const why = escalation(context, user, namespace, rules);
  if (why !== undefined) throw forbidden(type.group, type.plural, draft.metadata.name ?? "", why);
}

/** Why somebody may not give the rules; undefined: they hold them (ConfirmNoEscalation). */
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

/** Only what the garbage collector changes (IsOnlyMutatingGCFields). */
function isForCollector(draft: ApiObject, old: ApiObject): boolean {
  const rest = ({ metadata, ...members }: ApiObject) => {
    const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...others } = metadata;
    return { ...members, metadata: others };
  };
  return isDeepStrictEqual(rest(draft), rest(old));
}
