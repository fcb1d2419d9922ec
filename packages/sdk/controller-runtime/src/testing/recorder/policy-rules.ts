import type { RequestAttributes } from "./request-attributes.ts";

/** rbac/v1 PolicyRule. */
export interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

/**
 * Returns the minimal RBAC rules for these requests, one rule per resource, sorted. An apply or update that
 * created an object needs `create`, and a cache's watch needs `list`.
 *
 * `expect(policyRulesOf(recorder.requests)).toEqual(comparablePolicyRules(role.rules))`
 */
export function policyRulesOf(
  requests: readonly (RequestAttributes & { readonly status?: number | undefined })[],
): PolicyRule[] {
  return sorted(
    requests.map(({ verb, alternative, group, resource, subresource, status }) => ({
      group,
      resource: subresource === "" ? resource : `${resource}/${subresource}`,
      verbs: [
        verb,
        ...(alternative ? [alternative] : []),
        ...(status === 201 && (verb === "patch" || verb === "update") ? ["create"] : []),
      ],
    })),
  );
}

/** Returns the rules of a Role or ClusterRole in the form of `policyRulesOf`. Drops nonResourceURLs. */
export function comparablePolicyRules(
  rules: readonly { apiGroups?: string[]; resources?: string[]; verbs: string[] }[],
): PolicyRule[] {
  return sorted(
    rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
      apiGroups.flatMap((group) => resources.map((resource) => ({ group, resource, verbs }))),
    ),
  );
}

/**
 * Returns what manifests allow a ServiceAccount, in the form of `policyRulesOf`: the rules of all Roles and
 * ClusterRoles that are bound to it.
 *
 * `expect(policyRulesOf(recorder.requests)).toEqual(policyRulesFor(manifests, { namespace, name }))`
 */
export function policyRulesFor(
  manifests: readonly object[],
  { namespace, name }: { namespace: string; name: string },
): PolicyRule[] {
  const objects = manifests as readonly Manifest[];
  const bindings = objects.filter(({ subjects }) =>
    subjects?.some(
      (subject) =>
        subject.kind === "ServiceAccount" && subject.name === name && subject.namespace === namespace,
    ),
  );
  const isBound = ({ kind, metadata }: Manifest): boolean =>
    bindings.some(({ roleRef }) => roleRef?.kind === kind && roleRef?.name === metadata?.name);
  return comparablePolicyRules(objects.filter(isBound).flatMap(({ rules }) => rules ?? []));
}

/** A role, a binding, or any other object. */
interface Manifest {
  kind?: string;
  metadata?: { name?: string };
  rules?: readonly { apiGroups?: string[]; resources?: string[]; verbs: string[] }[];
  roleRef?: { kind: string; name: string };
  subjects?: readonly { kind: string; name: string; namespace?: string }[];
}

function sorted(
  needs: readonly { group: string; resource: string; verbs: readonly string[] }[],
): PolicyRule[] {
  const rules = new Map<string, { group: string; resource: string; verbs: Set<string> }>();
  for (const { group, resource, verbs } of needs) {
    if (resource === "") continue;
    const key = `${group}/${resource}`;
    const rule = rules.get(key) ?? { group, resource, verbs: new Set() };
    for (const verb of verbs) rule.verbs.add(verb);
    rules.set(key, rule);
  }
  return [...rules]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { group, resource, verbs }]) => ({
      apiGroups: [group],
      resources: [resource],
      verbs: [...verbs].sort(),
    }));
}
