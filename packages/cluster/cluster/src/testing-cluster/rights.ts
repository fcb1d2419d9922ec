import { execFile } from "node:child_process";
import { isDeepStrictEqual, promisify } from "node:util";
import {
  type Client,
  clusterRoleBindings,
  clusterRoles,
  KubeConfig,
  type KubeObject,
  namespaces,
  type Resource,
  roleBindings,
  roles,
  serviceAccounts,
} from "@operator-path/client";
import { findTool } from "@operator-path/tools";
import { parseAllDocuments } from "yaml";
import type { TestCluster } from "./start-test-cluster.ts";

/** The namespace and name of a ServiceAccount. */
export interface ServiceAccountName {
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

/** The kinds that grant permissions, and those that they need. */
const kinds: readonly Resource[] = [
  namespaces,
  serviceAccounts,
  clusterRoles,
  clusterRoleBindings,
  roles,
  roleBindings,
];

/**
 * Creates an operator's permissions from its manifests in an empty cluster. Returns what `kubectl auth can-i
 * --list` shows, without the permissions of every account: one line per resource, sorted, such as
 * `apps/deployments create list watch`. Compare the result with the documented permissions to notice any rule
 * too many or too few. A namespaced object without a namespace goes to `default`, as with kubectl.
 *
 * @returns by namespace: the operator's permissions in `default`, and in each namespace where they differ; by
 * name: the permissions of each ClusterRole that no binding uses
 * @throws ApiError if the API server rejects an object
 */
export async function deployedRights(
  client: Client,
  manifests: readonly KubeObject[],
  operator: ServiceAccountName,
): Promise<Record<string, string[]>> {
  await createObjects(client, manifests);
  const rights: Record<string, string[]> = { default: await listRights(client, operator, "default") };
  const { items } = await client.resource(namespaces).list();
  for (const { metadata: { name = "" } = {} } of items) {
    const here = await listRights(client, operator, name);
    if (!isDeepStrictEqual(here, rights.default)) rights[name] = here;
  }
  const bound = new Set(manifests.map((object) => (object as { roleRef?: { name: string } }).roleRef?.name));
  const unbound = manifests.flatMap(({ kind, metadata: { name = "" } = {} }) =>
    kind === "ClusterRole" && !bound.has(name) ? [name] : [],
  );
  const { namespace } = operator;
  await createObjects(
    client,
    unbound.map((name) => bindingOf(name, namespace)),
  );
  for (const name of unbound) rights[name] = await listRights(client, { namespace, name }, "default");
  return rights;
}

/** Binds a ClusterRole to an account of the same name. */
function bindingOf(name: string, namespace: string): KubeObject {
  const binding = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: [{ kind: "ServiceAccount", namespace, name }],
  };
  return binding;
}

/** Creates the objects that grant permissions, in their order. */
async function createObjects(client: Client, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    const resource = kinds.find(({ kind }) => kind === object.kind);
    if (!resource) continue;
    const all = client.resource(resource);
    // As kubectl does it.
    const { namespace = "default" } = object.metadata ?? {};
    await (resource.namespaced ? all.namespace(namespace) : all).create(object);
  }
}

async function listRights(client: Client, account: ServiceAccountName, namespace: string): Promise<string[]> {
  const [own, everyone] = await Promise.all([
    reviewRules(client, account, namespace),
    reviewRules(client, { ...account, name: "an-account-without-bindings" }, namespace),
  ]);
  return [...own]
    .map(([what, verbs]) => ({ what, verbs: [...verbs].filter((verb) => !everyone.get(what)?.has(verb)) }))
    .filter(({ verbs }) => verbs.length > 0)
    .map(({ what, verbs }) => `${what} ${verbs.sort().join(" ")}`)
    .sort();
}

/** Requests a review as the ServiceAccount. Returns its verbs by resource. */
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

/**
 * Returns the kubeconfig of an existing ServiceAccount, with a new token. A manager that uses it has exactly
 * the permissions that the operator ships with.
 *
 * @throws ApiError with the reason NotFound if the ServiceAccount does not exist
 */
export async function serviceAccountKubeConfig(
  { client, kubeConfig }: Pick<TestCluster, "client" | "kubeConfig">,
  { namespace, name }: { namespace: string; name: string },
): Promise<KubeConfig> {
  const { body } = await client.request({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
  });
  const { status } = JSON.parse(Buffer.from(body).toString()) as { status: { token: string } };
  const server = kubeConfig.getCurrentCluster();
  if (!server) throw new Error("the cluster's kubeconfig has no current cluster");
  const own = new KubeConfig();
  own.loadFromClusterAndUser(server, { name, token: status.token });
  return own;
}

/**
 * Returns the objects that `kubectl kustomize` prints for a folder.
 *
 * @throws Error with kubectl's message; ToolNotFoundError without a kubectl
 */
export async function kustomize(folder: string): Promise<KubeObject[]> {
  const { path } = await findTool("kubectl");
  const { stdout } = await promisify(execFile)(path, ["kustomize", folder]);
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
}
