import type { Client, KubeObject } from "@operator-path/client";

interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Where objects that have to do with rights are created. */
const collections: Readonly<Record<string, { root: string; plural: string }>> = {
  Namespace: { root: "/api/v1", plural: "namespaces" },
  ServiceAccount: { root: "/api/v1", plural: "serviceaccounts" },
  ClusterRole: { root: "/apis/rbac.authorization.k8s.io/v1", plural: "clusterroles" },
  ClusterRoleBinding: { root: "/apis/rbac.authorization.k8s.io/v1", plural: "clusterrolebindings" },
  Role: { root: "/apis/rbac.authorization.k8s.io/v1", plural: "roles" },
  RoleBinding: { root: "/apis/rbac.authorization.k8s.io/v1", plural: "rolebindings" },
};

/**
 * Creates the Namespaces, ServiceAccounts, roles and bindings among an operator's manifests, in their order.
 *
 * @throws ApiError when the API server refuses one
 */
export async function createRights(client: Client, manifests: readonly KubeObject[]): Promise<void> {
  for (const object of manifests) {
    const { root, plural } = collections[object.kind ?? ""] ?? {};
    if (root === undefined || plural === undefined) continue;
    const { namespace } = object.metadata ?? {};
    const folder = namespace === undefined ? root : `${root}/namespaces/${namespace}`;
    await client.request({ method: "POST", path: `${folder}/${plural}`, body: object });
  }
}

/**
 * Returns what `kubectl auth can-i --list` shows for a ServiceAccount in a namespace, without the rights that every
 * ServiceAccount has: a line for each resource, sorted, such as `apps/deployments create list watch`.
 */
export async function listRights(
  client: Client,
  account: ServiceAccountName,
  namespace: string,
): Promise<string[]> {
  const [own, everybodys] = await Promise.all([
    reviewRules(client, account, namespace),
    reviewRules(client, { ...account, name: "an-account-without-bindings" }, namespace),
  ]);
  return [...own]
    .map(([what, verbs]) => ({ what, verbs: [...verbs].filter((verb) => !everybodys.get(what)?.has(verb)) }))
    .filter(({ verbs }) => verbs.length > 0)
    .map(({ what, verbs }) => `${what} ${verbs.sort().join(" ")}`)
    .sort();
}

/** Asks as the ServiceAccount. Returns its verbs by what they are for. */
async function reviewRules(
  client: Client,
  { namespace: home, name }: ServiceAccountName,
  namespace: string,
): Promise<Map<string, Set<string>>> {
  const { body } = await client.request({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
    headers: { "impersonate-user": `system:serviceaccount:${home}:${name}` },
    body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } },
  });
  const { status } = JSON.parse(Buffer.from(body).toString()) as {
    status: { resourceRules: Rule[]; nonResourceRules: Rule[] };
  };
  const verbs = new Map<string, Set<string>>();
  for (const rule of [...status.resourceRules, ...status.nonResourceRules])
    for (const what of subjectsOf(rule))
      verbs.set(what, new Set([...(verbs.get(what) ?? []), ...rule.verbs]));
  return verbs;
}

function subjectsOf({ apiGroups = [], resources = [], resourceNames, nonResourceURLs }: Rule): string[] {
  if (nonResourceURLs) return [...nonResourceURLs];
  const names = resourceNames ? `[${[...resourceNames].sort().join(" ")}]` : "";
  return apiGroups.flatMap((group) =>
    resources.map((resource) => `${group === "" ? "" : `${group}/`}${resource}${names}`),
  );
}
