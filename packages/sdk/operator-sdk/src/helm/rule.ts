import { formatGoYaml } from "./go-yaml.ts";

/** A rule of an RBAC role. */
export interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** Returns rules as YAML lines for the `rules` of a role. */
export function formatRules(rules: readonly Rule[]): string {
  return rules.length === 0 ? "" : formatGoYaml(rules);
}

/** Verbs with which an account can get any other permission. */
const escalatingVerbs = new Set(["*", "bind", "escalate", "impersonate"]);

/** Resources that give access to other identities with any verb: tokens, and processes that hold them. */
const identityResources = new Set([
  "certificatesigningrequests/approval",
  "nodes/proxy",
  "pods/attach",
  "pods/ephemeralcontainers",
  "pods/exec",
  "pods/portforward",
  "pods/proxy",
  "secrets",
  "serviceaccounts/token",
  "services/proxy",
]);

/** Resources that decide what other accounts may do. Writing them is an escalation. */
const policyResources = new Set([
  "apiservices",
  "clusterrolebindings",
  "clusterroles",
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
  "mutatingwebhookconfigurations",
  "rolebindings",
  "roles",
  "validatingwebhookconfigurations",
]);

const readingVerbs = new Set(["get", "list", "watch"]);

/**
 * Returns whether a rule allows an escalation to permissions that it does not name. An account that holds
 * such a rule in all namespaces can become an administrator.
 */
export function allowsEscalation(rule: Rule): boolean {
  const { apiGroups = [], resources = [], nonResourceURLs = [] } = rule;
  if ([...apiGroups, ...resources, ...nonResourceURLs].some((word) => word.includes("*"))) return true;
  if (
    rule.verbs.some((verb) => escalatingVerbs.has(verb)) ||
    resources.some((one) => identityResources.has(one))
  )
    return true;
  return (
    resources.some((one) => policyResources.has(one)) && rule.verbs.some((verb) => !readingVerbs.has(verb))
  );
}
