import type { ManifestObject } from "@operator-path/helm-operator";
import type { ChartRules } from "./chart-rules.ts";
import type { Rule } from "./rule.ts";

type KubeObject = ManifestObject["object"];

interface Role extends KubeObject {
  rules?: readonly Rule[] | null;
  aggregationRule?: unknown;
}

interface Binding extends KubeObject {
  roleRef?: { kind?: string; name?: string };
}

/**
 * Who writes a role has to hold all that it allows, and so has who binds it: the API server refuses an escalation. So the
 * operator gets the rules of the roles in the chart, and not the verbs `escalate` and `bind`, which would let it become
 * anything. Roles of others that the chart binds may be bound by name.
 *
 * What says "*", or holds those verbs itself, is left out: it would make an administrator of the operator, which is for a
 * person to decide.
 */
export function escalationRules(objects: readonly KubeObject[]): ChartRules {
  const inRbac = objects.filter(({ apiVersion }) => apiVersion?.startsWith("rbac.authorization.k8s.io/"));
  const roles = inRbac.filter(({ kind }) => kind === "Role" || kind === "ClusterRole") as Role[];
  const bindings = inRbac.filter(({ kind }) => kind?.endsWith("RoleBinding")) as Binding[];
  const rules: Rule[] = [];
  const notes: string[] = [];
  for (const role of roles) {
    const name = nameOf(role);
    const own = role.rules ?? [];
    const held = own.filter((rule) => !isTooWide(rule));
    rules.push(...held.map(plain));
    if (held.length > 0) {
      notes.push(
        `the chart has the ${name}: the operator is given what it allows, since the API server lets nobody grant what they do not hold`,
      );
    }
    if (held.length < own.length) {
      notes.push(
        `the ${name} allows "*", or one of ${powers.join(", ")}, which the operator is not given: add it by hand, or the verb escalate on ${role.kind?.toLowerCase()}s, if the operator may be an administrator`,
      );
    }
    if (role.aggregationRule !== undefined) {
      notes.push(
        `the ${name} has an aggregationRule, which takes the verb escalate on clusterroles: add it by hand if the operator may have it`,
      );
    }
  }
  const bound = new Map<string, Set<string>>();
  for (const { roleRef: { kind = "", name = "" } = {} } of bindings) {
    if (roles.some((role) => role.kind === kind && role.metadata?.name === name)) continue;
    const resource = `${kind.toLowerCase()}s`;
    bound.set(resource, (bound.get(resource) ?? new Set()).add(name));
  }
  for (const [resource, set] of bound) {
    const names = [...set].sort();
    rules.push({
      ...{ apiGroups: ["rbac.authorization.k8s.io"], resources: [resource] },
      ...{ resourceNames: names, verbs: ["bind"] },
    });
    notes.push(`the chart binds ${names.join(", ")} (${resource}), which the operator may bind, by name`);
  }
  return { rules: distinct(rules), notes };
}

function distinct(rules: readonly Rule[]): Rule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata?.name ?? metadata?.generateName ?? ""}`.trim();
}

/** Verbs that lead to every other right. */
const powers = ["escalate", "bind", "impersonate"];

function isTooWide({ apiGroups = [], resources = [], verbs, nonResourceURLs = [] }: Rule): boolean {
  if (verbs.some((verb) => powers.includes(verb))) return true;
  return [...apiGroups, ...resources, ...verbs, ...nonResourceURLs].some((word) => word.includes("*"));
}

/** In the order that roles are written in, and nothing else of it. */
function plain({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: Rule): Rule {
  return {
    ...(apiGroups && { apiGroups }),
    ...(resources && { resources }),
    ...(resourceNames && { resourceNames }),
    ...(nonResourceURLs && { nonResourceURLs }),
    verbs,
  };
}
