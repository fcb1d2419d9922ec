import { isJsonObject, type JsonValue } from "../../lib/json/json.ts";
import type { AccessAttributes } from "../../server/auth/authorizer.ts";
import type { UserInfo } from "../../server/auth/user.ts";

/** rbac/v1 PolicyRule. Missing lists are empty. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** rbac/v1 RoleRef: the role that a binding grants. */
export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** Finds the rules of a user (AuthorizationRuleResolver of pkg/registry/rbac/validation). */
export interface RuleResolver {
  /**
   * Returns everything that a user may do in a namespace, and errors. "" returns only what cluster bindings
   * grant.
   */
  rulesFor(user: UserInfo, namespace: string): { rules: PolicyRule[]; errors: string[] };
  /** Returns the rules of a binding's role. @throws ApiStatusError 404 */
  roleRules(roleRef: RoleRef, namespace: string): readonly PolicyRule[];
}

export const rbacGroup = "rbac.authorization.k8s.io";

/** Parses the `rules` of a Role or ClusterRole. */
export function parseRules(rules: JsonValue | undefined): PolicyRule[] {
  if (!Array.isArray(rules)) return [];
  return rules.filter(isJsonObject).map((rule) => ({
    verbs: texts(rule.verbs),
    apiGroups: texts(rule.apiGroups),
    resources: texts(rule.resources),
    resourceNames: texts(rule.resourceNames),
    nonResourceURLs: texts(rule.nonResourceURLs),
  }));
}

/** Parses the `roleRef` of a binding. */
export function parseRoleRef(value: JsonValue | undefined): RoleRef {
  const { apiGroup, kind, name } = isJsonObject(value) ? value : {};
  return { apiGroup: text(apiGroup), kind: text(kind), name: text(name) };
}

/**
 * Returns whether one rule allows the request (RuleAllows of
 * k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac).
 */
export function ruleAllows(rule: PolicyRule, attributes: AccessAttributes): boolean {
  if (!hasOrAll(rule.verbs, attributes.verb)) return false;
  if (attributes.path !== undefined) return nonResourceUrlMatches(rule, attributes.path);
  return (
    hasOrAll(rule.apiGroups, attributes.group ?? "") &&
    resourceMatches(rule, attributes.resource ?? "", attributes.subresource ?? "") &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name ?? ""))
  );
}

/**
 * Returns whether a rule names the resource: `*`, `pods`, `pods/log`, or a subresource of anything, such as a
 * star before `/scale`.
 */
function resourceMatches({ resources }: PolicyRule, resource: string, subresource: string): boolean {
  if (subresource === "") return hasOrAll(resources, resource);
  return hasOrAll(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

/** Returns whether a rule names the URL. Only a star at the end is a wildcard. */
function nonResourceUrlMatches({ nonResourceURLs }: PolicyRule, path: string): boolean {
  return nonResourceURLs.some((url) => {
    return url === "*" || url === path || (url.endsWith("*") && path.startsWith(url.replace(/\*+$/, "")));
  });
}

function hasOrAll(list: readonly string[], wanted: string): boolean {
  return list.includes("*") || list.includes(wanted);
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Formats several errors as one text (utilerrors.Aggregate). */
export function list(errors: readonly string[]): string {
  return errors.length === 1 ? (errors[0] as string) : `[${errors.join(", ")}]`;
}
