import type { Rule } from "./rule.ts";

/** Verbs that lead to every other right. */
const verbs = new Set(["*", "bind", "escalate", "impersonate"]);

/** Resources that lead to other identities, whatever the verb: their tokens, and the processes that have them. */
const resources = new Set([
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

/** Resources that who writes them decides with what others may do. */
const writtenResources = new Set([
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

const reading = new Set(["get", "list", "watch"]);

/** Whether a rule leads to rights that it does not name: who holds it in all namespaces may become an administrator. */
export function isPower(rule: Rule): boolean {
  const { apiGroups = [], resources: about = [], nonResourceURLs = [] } = rule;
  if ([...apiGroups, ...about, ...nonResourceURLs].some((word) => word.includes("*"))) return true;
  if (rule.verbs.some((verb) => verbs.has(verb)) || about.some((one) => resources.has(one))) return true;
  return about.some((one) => writtenResources.has(one)) && rule.verbs.some((verb) => !reading.has(verb));
}
