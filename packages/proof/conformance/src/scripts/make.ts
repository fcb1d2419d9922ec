import type { Json, JsonMap, RequestStep, Script, Step } from "../script.ts";

// Short helpers for hundreds of requests.

type More = Partial<Omit<RequestStep, "method" | "path">>;

export const get = (path: string, more: More = {}): RequestStep => ({ method: "GET", path, ...more });
export const post = (path: string, body: Json, more: More = {}): RequestStep => ({
  method: "POST",
  path,
  body,
  ...more,
});
export const put = (path: string, body: Json, more: More = {}): RequestStep => ({
  method: "PUT",
  path,
  body,
  ...more,
});
export const remove = (path: string, body?: Json, more: More = {}): RequestStep => ({
  method: "DELETE",
  path,
  ...(body === undefined ? {} : { body }),
  ...more,
});
const patchWith =
  (contentType: string) =>
  (path: string, body: Json, more: More = {}): RequestStep => ({
    method: "PATCH",
    path,
    body,
    contentType,
    ...more,
  });
export const merge = patchWith("application/merge-patch+json");
export const jsonPatch = patchWith("application/json-patch+json");
export const strategic = patchWith("application/strategic-merge-patch+json");

/** Server-side apply by a manager. */
export const apply = (
  path: string,
  manager: string,
  body: Json,
  query = "",
  more: More = {},
): RequestStep => ({
  method: "PATCH",
  path: `${path}?fieldManager=${manager}${query}`,
  body,
  contentType: "application/apply-patch+yaml",
  ...more,
});

/** The same step, without a comparison. */
export const setup = (step: RequestStep): RequestStep => ({ ...step, setup: true });

const inNamespace = (group: string, plural: string): string => `${group}/namespaces/{{ns}}/${plural}`;
export const paths = {
  pods: inNamespace("/api/v1", "pods"),
  configMaps: inNamespace("/api/v1", "configmaps"),
  secrets: inNamespace("/api/v1", "secrets"),
  services: inNamespace("/api/v1", "services"),
  serviceAccounts: inNamespace("/api/v1", "serviceaccounts"),
  events: inNamespace("/api/v1", "events"),
  resourceQuotas: inNamespace("/api/v1", "resourcequotas"),
  limitRanges: inNamespace("/api/v1", "limitranges"),
  deployments: inNamespace("/apis/apps/v1", "deployments"),
  statefulSets: inNamespace("/apis/apps/v1", "statefulsets"),
  daemonSets: inNamespace("/apis/apps/v1", "daemonsets"),
  replicaSets: inNamespace("/apis/apps/v1", "replicasets"),
  jobs: inNamespace("/apis/batch/v1", "jobs"),
  cronJobs: inNamespace("/apis/batch/v1", "cronjobs"),
  leases: inNamespace("/apis/coordination.k8s.io/v1", "leases"),
  roles: inNamespace("/apis/rbac.authorization.k8s.io/v1", "roles"),
  roleBindings: inNamespace("/apis/rbac.authorization.k8s.io/v1", "rolebindings"),
  clusterRoles: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  clusterRoleBindings: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
  definitions: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  disruptionBudgets: inNamespace("/apis/policy/v1", "poddisruptionbudgets"),
  endpointSlices: inNamespace("/apis/discovery.k8s.io/v1", "endpointslices"),
  networkPolicies: inNamespace("/apis/networking.k8s.io/v1", "networkpolicies"),
  ingresses: inNamespace("/apis/networking.k8s.io/v1", "ingresses"),
  claims: inNamespace("/api/v1", "persistentvolumeclaims"),
};

export const configMap = (name = "a", data: JsonMap = { x: "1" }, metadata: JsonMap = {}): JsonMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
  data,
});

export const container = (more: JsonMap = {}): JsonMap => ({ name: "main", image: "nginx:1.27", ...more });

/** A Pod without a token volume, so that the server adds nothing to it. */
export const pod = (name = "a", spec: JsonMap = {}, metadata: JsonMap = {}): JsonMap => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  spec: { automountServiceAccountToken: false, containers: [container()], ...spec },
});

export const deployment = (name = "web", spec: JsonMap = {}, template: JsonMap = {}): JsonMap => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [container()], ...template } },
    ...spec,
  },
});

export const service = (name = "web", spec: JsonMap = {}): JsonMap => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec },
});

/** A CRD of Bugs in a group of the script's own. */
export const definition = (schema: JsonMap, version: JsonMap = {}, spec: JsonMap = {}): JsonMap => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "bugs.{{ns}}.example.io" },
  spec: {
    group: "{{ns}}.example.io",
    scope: "Namespaced",
    names: { plural: "bugs", singular: "bug", kind: "Bug", shortNames: ["bg"] },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
    ...spec,
  },
});

export const bugs = "/apis/{{ns}}.example.io/v1/namespaces/{{ns}}/bugs";

export const bug = (name = "a", more: JsonMap = {}): JsonMap => ({
  apiVersion: "{{ns}}.example.io/v1",
  kind: "Bug",
  metadata: { name },
  ...more,
});

/** The schema of a Bug with this spec. */
export const objectSchema = (spec: JsonMap, more: JsonMap = {}): JsonMap => ({
  type: "object",
  properties: { spec, ...more },
});

/** Creates the CRD, and waits until the server accepts Bugs. */
export const defined = (schema: JsonMap, version: JsonMap = {}, spec: JsonMap = {}): Step[] => [
  setup(post(paths.definitions, definition(schema, version, spec))),
  ...whenServed,
];

/**
 * Waits until the server serves reads and writes of a CRD's objects in `{{ns}}`. A real server answers 201, then writes
 * the CRD's status, then serves reads, and a moment later writes. It serves writes once it rejects an object for its
 * kind.
 */
export const served = (group: string, version: string, plural: string): RequestStep[] => {
  const path = `/apis/${group}/${version}/namespaces/{{ns}}/${plural}`;
  const other = { apiVersion: `${group}/${version}`, kind: "None" };
  return [setup(get(path, { until: 200 })), setup(post(`${path}?dryRun=All`, other, { until: [400, 422] }))];
};

/** Waits until the server serves reads and writes of Bugs. */
export const whenServed = served("{{ns}}.example.io", "v1", "bugs");

/** A script about custom resources. */
export const customResourceScript = (name: string, ...steps: Step[]): Script => ({
  name,
  area: "custom resources",
  steps,
});
export const string = { type: "string" };
export const integer = { type: "integer" };
export const rule = (text: string, more: JsonMap = {}): JsonMap => ({ rule: text, ...more });
export const rules = (...list: JsonMap[]): JsonMap => ({ "x-kubernetes-validations": list });

/** The schema of a Bug whose spec has these properties. */
export const spec = (properties: JsonMap, more: JsonMap = {}): JsonMap =>
  objectSchema({ type: "object", properties, ...more });
/** Creates a Bug with this spec. */
export const make = (value: JsonMap, name = "a"): Step => post(bugs, bug(name, { spec: value }));
/** Creates the CRD of Bugs. */
export const define = (schema: JsonMap, version: JsonMap = {}, more: JsonMap = {}): Step =>
  post(paths.definitions, definition(schema, version, more));
