import type { ApiPackage } from "../api/api-package.ts";
import type { Report } from "../problem.ts";
import type { Json } from "../yaml/emit.ts";

interface Rule {
  groups: readonly string[];
  resources: readonly string[];
  resourceNames: readonly string[];
  urls: readonly string[];
  verbs: readonly string[];
}

/**
 * Returns the roles of all +kubebuilder:rbac markers: a ClusterRole, and a Role for each namespace and name
 * in them. As in controller-tools, rules that differ in one list become one rule, and everything is sorted.
 *
 * @param roleName the name of the role for markers without `roleName`
 */
export function roleManifests(packages: readonly ApiPackage[], roleName: string, report: Report): Json[] {
  const roles = new Map<string, { namespace: string; name: string; rules: Rule[] }>();
  for (const { definition, value, offset, file } of packages.flatMap(({ markers }) => markers)) {
    if (definition.name !== "kubebuilder:rbac") continue;
    const fields = value as Record<string, string & string[]>;
    if (fields.urls === undefined && fields.resources !== undefined && fields.groups === undefined) {
      report(
        { file, offset },
        "+kubebuilder:rbac: resources need groups",
        "write groups=core for resources of the core group",
      );
    }
    const namespace = fields.namespace ?? "";
    const name = fields.roleName || roleName;
    const key = `${namespace}\0${name}`;
    const role = roles.get(key) ?? { namespace, name, rules: [] };
    roles.set(key, role);
    const rule = {
      groups: (fields.groups ?? []).map((group: string) => (group === "core" ? "" : group)),
      resourceNames: fields.resourceNames ?? [],
      urls: fields.urls ?? [],
      verbs: fields.verbs ?? [],
    };
    const resources: readonly string[] = fields.resources ?? [];
    for (const each of resources.length === 0 ? [[]] : resources.map((resource) => [resource])) {
      role.rules.push({ ...rule, resources: each });
    }
  }
  return [...roles.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, role]) => roleManifest(role));
}

function roleManifest({
  namespace,
  name,
  rules,
}: {
  namespace: string;
  name: string;
  rules: readonly Rule[];
}): Json {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: namespace === "" ? "ClusterRole" : "Role",
    metadata: namespace === "" ? { name } : { name, namespace },
    rules: normalize(rules).map(({ groups, resources, resourceNames, urls, verbs }) => ({
      apiGroups: undefinedIfEmpty(groups),
      nonResourceURLs: undefinedIfEmpty(urls),
      resourceNames: undefinedIfEmpty(resourceNames),
      resources: undefinedIfEmpty(resources),
      verbs,
    })),
  };
}

function normalize(rules: readonly Rule[]): Rule[] {
  let merged = rules.map((rule) => mapLists(rule, sortedSet));
  for (const list of ["verbs", "resources", "groups", "urls"] as const) merged = mergeOn(list, merged);
  return merged
    .map((rule) => (rule.verbs.includes("*") ? { ...rule, verbs: ["*"] } : rule))
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** Merges rules that differ only in one list. */
function mergeOn(list: keyof Rule, rules: readonly Rule[]): Rule[] {
  const byRest = new Map<string, Rule>();
  for (const rule of rules) {
    const key = JSON.stringify({ ...rule, [list]: undefined });
    const first = byRest.get(key);
    byRest.set(
      key,
      first === undefined ? rule : { ...first, [list]: sortedSet([...first[list], ...rule[list]]) },
    );
  }
  return [...byRest.values()];
}

function mapLists(rule: Rule, change: (list: readonly string[]) => string[]): Rule {
  return {
    groups: change(rule.groups),
    resources: change(rule.resources),
    resourceNames: change(rule.resourceNames),
    urls: change(rule.urls),
    verbs: change(rule.verbs),
  };
}

function sortKey({ groups, resources, resourceNames, urls }: Rule): string {
  return [groups, resources, resourceNames, urls].map((list) => list.join("&")).join(" + ");
}

function sortedSet(list: readonly string[]): string[] {
  return [...new Set(list)].sort();
}

function undefinedIfEmpty(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list;
}
