import { isJsonObject, type JsonValue } from "../../lib/json/json.ts";
import type { AccessAttributes } from "../../server/auth/authorizer.ts";
import type { UserInfo } from "../../server/auth/user.ts";

/** rbac/v1 PolicyRule. A list that a rule does not have is empty. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** rbac/v1 RoleRef: the role that a binding gives. */
export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** Finds the rules that hold for a user (AuthorizationRuleResolver of pkg/registry/rbac/validation). */
export interface RuleResolver {
  /** Everything that a user may do in a namespace ("": only what is bound in the whole cluster), and what is amiss. */
  rulesFor(user: UserInfo, namespace: string): { rules: PolicyRule[]; errors: string[] };
  /** The rules of the role that a binding in the namespace refers to. @throws ApiStatusError 404 */
  roleRules(roleRef: RoleRef, namespace: string): readonly PolicyRule[];
}

export const rbacGroup = "rbac.authorization.k8s.io";

/** The `rules` of a (Cluster)Role. */
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

/** The `roleRef` of a binding. */
export function parseRoleRef(value: JsonValue | undefined): RoleRef {
  const { apiGroup, kind, name } = isJsonObject(value) ? value : {};
  return { apiGroup: text(apiGroup), kind: text(kind), name: text(name) };
}

/** Whether one rule allows the request (RuleAllows of k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac). */
export function ruleAllows(rule: PolicyRule, attributes: AccessAttributes): boolean {
  if (!hasOrAll(rule.verbs, attributes.verb)) return false;
  if (attributes.path !== undefined) return nonResourceUrlMatches(rule, attributes.path);
  return (
    hasOrAll(rule.apiGroups, attributes.group ?? "") &&
    resourceMatches(rule, attributes.resource ?? "", attributes.subresource ?? "") &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name ?? ""))
  );
}

/** `*`, `pods`, `pods/log`, and a subresource of anything: scale with a star before the slash. */
function resourceMatches({ resources }: PolicyRule, resource: string, subresource: string): boolean {
  if (subresource === "") return hasOrAll(resources, resource);
  return hasOrAll(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

/** Only a star at the end stands for more. */
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

/** Several errors as one text (utilerrors.Aggregate). */
export function list(errors: readonly string[]): string {
  return errors.length === 1 ? (errors[0] as string) : `[${errors.join(", ")}]`;
}
