import type { JsonObject } from "../../../lib/json/json.ts";
import { type Exchange, type Given, namespace } from "../exchange.ts";
import { configMap, mergePatch, paths, pod } from "../objects.ts";

const { pods, configMaps, serviceAccounts, roles, roleBindings } = paths;
const group = "rbac.authorization.k8s.io";
const rbac = `/apis/${group}/v1`;
const clusterRoles = `${rbac}/clusterroles`;
const clusterRoleBindings = `${rbac}/clusterrolebindings`;
const accessReviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
const localReviews = `/apis/authorization.k8s.io/v1/namespaces/${namespace}/localsubjectaccessreviews`;
const selfReviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const rulesReviews = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
const tokenReviews = "/apis/authentication.k8s.io/v1/tokenreviews";
const jane = { user: "jane", group: "devs" };
const robot = `system:serviceaccount:${namespace}:default`;

// --- objects that exist before the request

const user = (name: string): JsonObject => ({ kind: "User", apiGroup: group, name });
const refer = (kind: string, name: string): JsonObject => ({ apiGroup: group, kind, name });
const role = (...rules: JsonObject[]): Given => ({ path: roles, body: { metadata: { name: "r" }, rules } });
const clusterRole = (name: string, rules: JsonObject[], more: JsonObject = {}): Given => ({
  path: clusterRoles,
  body: { metadata: { name }, rules, ...more },
});
const bind = (subject: JsonObject, roleRef = refer("Role", "r")): Given => ({
  path: roleBindings,
  body: { metadata: { name: "b" }, roleRef, subjects: [subject] },
});
const bindAll = (name: string, subject: JsonObject): Given => ({
  path: clusterRoleBindings,
  body: { metadata: { name }, roleRef: refer("ClusterRole", name), subjects: [subject] },
});
/** Grants Jane the rules in the namespace. */
const may = (...rules: JsonObject[]): Given[] => [role(...rules), bind(user("jane"))];
/** Grants Jane the rules in the whole cluster. */
const mayAll = (...rules: JsonObject[]): Given[] => [
  clusterRole("recorded-jane", rules),
  bindAll("recorded-jane", user("jane")),
];
const rule = (verbs: string, resources: string, more: JsonObject = {}): JsonObject => ({
  apiGroups: [""],
  verbs: verbs.split(","),
  resources: resources.split(","),
  ...more,
});
const rbacRule = (verbs: string, resources: string): JsonObject =>
  rule(verbs, resources, { apiGroups: [group] });
const writeRbac = rbacRule("get,create,update,patch", "roles,rolebindings,clusterroles,clusterrolebindings");

// --- requests

const ask = (
  name: string,
  method: Exchange["method"],
  path: string,
  more: Partial<Exchange> = {},
): Exchange => ({
  name,
  method: method ?? "GET",
  path,
  as: jane,
  ...more,
});
const review = (name: string, spec: JsonObject, given: Given[] = [], path = accessReviews): Exchange => ({
  name,
  path,
  body: { spec },
  given,
});
const asks = (who: string, verb: string, resource: string, more: JsonObject = {}): JsonObject => ({
  user: who,
  resourceAttributes: { verb, resource, namespace, ...more },
});
const byJane = (name: string, path: string, body: JsonObject, given: Given[]): Exchange => ({
  name,
  path,
  body,
  given,
  as: jane,
});
const change = (name: string, path: string, body: JsonObject, given: Given[]): Exchange => ({
  ...byJane(name, path, body, given),
  method: "PATCH",
  contentType: mergePatch,
});
const binding = (roleRef: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { name: "new" },
  roleRef,
  subjects: [user("joe")],
  ...more,
});
const newRole = (...rules: JsonObject[]): JsonObject => ({ metadata: { name: "new" }, rules });
const owned = (more: JsonObject): JsonObject => ({
  metadata: {
    name: "a",
    ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "1", ...more }],
  },
});

const refused: Exchange[] = [
  ask("list", "GET", pods),
  ask("list of all namespaces", "GET", "/api/v1/pods"),
  ask("get", "GET", `${pods}/a`),
  ask("get of a missing object", "GET", "/apis/apps/v1/namespaces/nope/deployments/a"),
  ask("watch", "GET", `${pods}?watch=1`),
  ask("watch by the deprecated path", "GET", `/api/v1/watch/namespaces/${namespace}/pods`),
  ask("list of one", "GET", `${pods}?fieldSelector=metadata.name%3Da`),
  ask("list of one without a name", "GET", `${pods}?fieldSelector=metadata.name%3D..`),
  ask("list of all but one", "GET", `${pods}?fieldSelector=metadata.name%21%3Da`),
  ask("exec", "POST", `${pods}/a/exec?command=sh`),
  ask("port-forward", "GET", `${pods}/a/portforward`),
  ask("create", "POST", configMaps, { body: configMap() }),
  ask("create of invalid JSON", "POST", configMaps, { body: "{" }),
  ask("replace", "PUT", `${configMaps}/a`, { body: configMap() }),
  ask("patch of a scale", "PATCH", `/apis/apps/v1/namespaces/${namespace}/deployments/a/scale`, {
    body: {},
    contentType: mergePatch,
  }),
  ask("status", "PUT", `${pods}/a/status`, { body: pod() }),
  ask("namespaces", "GET", "/api/v1/namespaces"),
  ask("finalize", "PUT", `/api/v1/namespaces/${namespace}/finalize`, { body: {} }),
  ask("node", "GET", "/api/v1/nodes/n"),
  ask("unknown resource", "GET", `/api/v1/namespaces/${namespace}/things`),
  ask("unknown group", "GET", "/apis/example.org/v1/things/a"),
  ask("unknown path", "GET", "/nothing"),
  ask("method of a path", "POST", "/version"),
  ask("name that looks like HTML", "GET", pods, { as: { user: "<b>&jane" } }),
  ask("as a ServiceAccount", "GET", pods, { as: { account: "default" } }),
  ask("as a user named like a ServiceAccount", "GET", pods, { as: { user: robot } }),
  ask("as an unauthenticated user", "GET", "/api", { as: { user: "jane", group: "system:unauthenticated" } }),
];

const allowed: Exchange[] = [
  ask("by name", "GET", `${pods}/a`, { given: may(rule("get,list", "pods", { resourceNames: ["a"] })) }),
  ask("by name, another", "GET", `${pods}/b`, {
    given: may(rule("get,list", "pods", { resourceNames: ["a"] })),
  }),
  ask("by name, all", "GET", pods, { given: may(rule("get,list", "pods", { resourceNames: ["a"] })) }),
  ask("by name, a list of one", "GET", `${pods}?fieldSelector=metadata.name%3Da`, {
    given: may(rule("get,list", "pods", { resourceNames: ["a"] })),
  }),
  ask("no subresource", "GET", `${pods}/a/log`, { given: may(rule("*", "pods")) }),
  ask("no subresource by a star after it", "GET", `${pods}/a/log`, { given: may(rule("*", "pods/*")) }),
  ask("subresource of anything", "GET", `/apis/apps/v1/namespaces/${namespace}/deployments/a/scale`, {
    given: may(rule("get", "*/scale", { apiGroups: ["apps"] })),
  }),
  ask("subresource by a star", "GET", `${pods}/a/log`, { given: may(rule("get", "*")) }),
  ask("another group", "GET", `/apis/apps/v1/namespaces/${namespace}/deployments`, {
    given: may(rule("*", "*")),
  }),
  ask("group of the user", "GET", `${configMaps}/a`, {
    given: [role(rule("get", "configmaps")), bind({ kind: "Group", apiGroup: group, name: "devs" })],
  }),
  ask("ServiceAccount of the binding's namespace", "GET", `${configMaps}/a`, {
    given: [role(rule("get", "configmaps")), bind({ kind: "ServiceAccount", name: "default" })],
    as: { account: "default" },
  }),
  ask("ServiceAccount of another namespace", "GET", `${configMaps}/a`, {
    given: [
      role(rule("get", "configmaps")),
      bind({ kind: "ServiceAccount", name: "default", namespace: "default" }),
    ],
    as: { account: "default" },
  }),
  ask("ClusterRole in a namespace", "GET", `${configMaps}/a`, {
    given: [bind(user("jane"), refer("ClusterRole", "system:node"))],
  }),
  ask("missing role", "GET", pods, { given: [bind(user("jane"))] }),
  ask("missing ClusterRole", "GET", pods, { given: [bindAll("recorded-none", user("jane"))] }),
  ask("several missing roles", "GET", pods, {
    given: [bind(user("jane")), bindAll("recorded-none", user("jane"))],
  }),
  ask("path, its beginning only", "GET", "/nothing", {
    given: mayAll({ verbs: ["get"], nonResourceURLs: ["/nothing/*", "/no*thing"] }),
  }),
];

const lease = { metadata: { name: "a" } };
const leaseRule = (verbs: string): JsonObject =>
  rule(verbs, "leases", { apiGroups: ["coordination.k8s.io"] });
const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
const apply: Partial<Exchange> = { body: applied, contentType: "application/apply-patch+yaml" };

/** A request that creates the object in its path needs the verb create as well. */
const creations: Exchange[] = [
  ask("PUT that creates", "PUT", `${paths.leases}/a`, { body: lease, given: may(leaseRule("update")) }),
  ask("PUT that may create", "PUT", `${paths.leases}/a`, {
    body: lease,
    given: may(leaseRule("update,create")),
  }),
  ask("apply that creates", "PATCH", `${configMaps}/a?fieldManager=m`, {
    ...apply,
    given: may(rule("patch", "configmaps")),
  }),
  ask("apply that may create", "PATCH", `${configMaps}/a?fieldManager=m`, {
    ...apply,
    given: may(rule("patch,create", "configmaps")),
  }),
  ask("apply to an existing object", "PATCH", `${configMaps}/a?fieldManager=m`, {
    ...apply,
    given: [{ path: configMaps, body: configMap() }, ...may(rule("patch", "configmaps"))],
  }),
];

const reviews: Exchange[] = [
  review("review", asks("jane", "get", "pods")),
  review("review by a Role", asks("jane", "get", "pods"), may(rule("get", "pods"))),
  review("review of another user", asks("joe", "get", "pods"), may(rule("get", "pods"))),
  review("review of a subresource", asks("jane", "get", "pods", { subresource: "log", name: "a" }), [
    role(rule("get", "pods/log")),
    bind({ kind: "Group", apiGroup: group, name: "x" }),
  ]),
  review("review by a ClusterRole", asks("jane", "list", "secrets"), mayAll(rule("*", "secrets"))),
  review("review of a ServiceAccount", asks(robot, "get", "pods"), [
    role(rule("get", "pods")),
    bind({ kind: "ServiceAccount", name: "default" }),
  ]),
  review("review by a missing role", asks("jane", "get", "pods"), [
    bind(user("jane"), refer("ClusterRole", "recorded-none")),
  ]),
  review("review of a path", { user: "x", nonResourceAttributes: { verb: "get", path: "/version" } }),
  review(
    "review of a path by its beginning",
    { user: "jane", nonResourceAttributes: { verb: "get", path: "/a/b" } },
    [...mayAll({ verbs: ["get"], nonResourceURLs: ["/other", "/a/*"] })],
  ),
  review("review of a default", asks("system:serviceaccount:kube-system:job-controller", "create", "pods")),
  review("review of the scheduler", asks("system:kube-scheduler", "bind", "pods")),
  review("review of masters", {
    groups: ["system:masters"],
    resourceAttributes: { verb: "x", resource: "y" },
  }),
  review("review of nothing", { user: "x" }),
  review("review of both", {
    user: "x",
    resourceAttributes: { verb: "get" },
    nonResourceAttributes: { path: "/x", verb: "get" },
  }),
  review(
    "review with a broken selector",
    asks("x", "list", "pods", { labelSelector: { rawSelector: "a in" } }),
  ),
  review(
    "review with a broken field selector",
    asks("x", "list", "pods", { fieldSelector: { rawSelector: "a" } }),
  ),
  review(
    "review with selectors",
    asks("x", "list", "pods", {
      fieldSelector: { requirements: [{ key: "a", operator: "In", values: ["b"] }] },
      labelSelector: { requirements: [{ key: "a", operator: "Exists" }] },
    }),
  ),
  review(
    "review with unknown selector operators",
    asks("x", "list", "pods", {
      fieldSelector: { requirements: [{ key: "a", operator: "Exists" }] },
      labelSelector: {
        requirements: [
          { key: "a", operator: "Exists" },
          { key: "b", operator: "Like", values: ["c"] },
        ],
      },
    }),
  ),
  review(
    "review with bad selectors",
    asks("x", "list", "pods", {
      fieldSelector: {
        requirements: [
          { key: "", operator: "In" },
          { key: "a", operator: "Exists", values: ["b"] },
        ],
      },
      labelSelector: { rawSelector: "a", requirements: [{ key: "a b", operator: "In", values: ["c d"] }] },
    }),
  ),
  review("review with an empty selector", asks("x", "list", "pods", { fieldSelector: {} })),
  review("review in a namespace", asks("jane", "get", "pods"), may(rule("get", "pods")), localReviews),
  review(
    "review in another namespace",
    { user: "x", resourceAttributes: { verb: "get", namespace: "y" } },
    [],
    localReviews,
  ),
  review(
    "review of a path in a namespace",
    { user: "x", nonResourceAttributes: { verb: "get", path: "/x" } },
    [],
    localReviews,
  ),
  byJane("review by a user without the permission", accessReviews, { spec: asks("x", "get", "pods") }, []),
  byJane("own review", selfReviews, { spec: { resourceAttributes: { verb: "get", resource: "pods" } } }, []),
  byJane(
    "own review, allowed",
    selfReviews,
    { spec: { resourceAttributes: { verb: "get", resource: "pods", namespace } } },
    may(rule("get", "*")),
  ),
  byJane(
    "own rules",
    rulesReviews,
    { spec: { namespace } },
    may(rule("get", "pods", { resourceNames: ["a"] })),
  ),
  byJane("own rules with a missing role", rulesReviews, { spec: { namespace } }, [bind(user("jane"))]),
  byJane("who I am", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, []),
];

const escalations: Exchange[] = [
  byJane(
    "role with more than the user has",
    clusterRoles,
    newRole(rule("get,list", "pods,pods/log")),
    mayAll(writeRbac),
  ),
  byJane(
    "role with names and paths",
    clusterRoles,
    newRole(rule("get", "secrets", { resourceNames: ["a", "b"] }), {
      verbs: ["get", "post"],
      nonResourceURLs: ["/x", "/version"],
    }),
    mayAll(writeRbac),
  ),
  byJane(
    "role with what the user has",
    roles,
    newRole(rule("get", "pods")),
    mayAll(writeRbac, rule("get,list", "*")),
  ),
  byJane(
    "role with a subresource of anything",
    roles,
    newRole(rule("get", "pods/scale,nodes")),
    mayAll(writeRbac, rule("get", "*/scale")),
  ),
  byJane("role for all names", roles, newRole(rule("get", "pods")), [
    ...mayAll(writeRbac, rule("get", "pods", { resourceNames: ["a"] })),
  ]),
  byJane("role by a user who may escalate", clusterRoles, newRole(rule("get", "pods")), [
    ...mayAll(writeRbac, rbacRule("escalate", "clusterroles")),
  ]),
  byJane(
    "role made of others",
    clusterRoles,
    {
      metadata: { name: "new" },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] },
    },
    mayAll(writeRbac),
  ),
  change("role gets more", `${roles}/r`, { rules: [rule("get", "pods")] }, [role(), ...mayAll(writeRbac)]),
  change("role gets less", `${roles}/r`, { rules: [] }, [role(rule("get", "pods")), ...mayAll(writeRbac)]),
  change("role gets a label", `${roles}/r`, { metadata: { labels: { a: "b" } } }, [
    role(rule("get", "pods")),
    ...mayAll(writeRbac),
  ]),
  change("role gets a finalizer", `${roles}/r`, { metadata: { finalizers: [] } }, [
    role(rule("get", "pods")),
    ...mayAll(writeRbac),
  ]),
  {
    ...byJane("role made by PUT", `${roles}/new`, newRole(rule("get", "pods")), mayAll(writeRbac)),
    method: "PUT",
  },
  byJane("binding of cluster-admin", clusterRoleBindings, binding(refer("ClusterRole", "cluster-admin")), [
    ...mayAll(writeRbac),
  ]),
  byJane("binding in a namespace", roleBindings, binding(refer("ClusterRole", "system:basic-user")), [
    ...mayAll(writeRbac),
  ]),
  byJane("binding of permissions that the user lacks", roleBindings, binding(refer("Role", "r")), [
    role(rule("get", "secrets")),
    ...mayAll(writeRbac),
  ]),
  byJane("binding by a user who may bind it", roleBindings, binding(refer("Role", "r")), [
    role(rule("get", "secrets")),
    ...mayAll(writeRbac, { ...rbacRule("bind", "roles"), resourceNames: ["r"] }),
  ]),
  byJane(
    "binding of a missing ClusterRole",
    clusterRoleBindings,
    binding(refer("ClusterRole", "recorded-none")),
    [...mayAll(writeRbac)],
  ),
  byJane("binding of a missing Role", roleBindings, binding(refer("Role", "none")), mayAll(writeRbac)),
  change("binding gets another role", `${roleBindings}/b`, { roleRef: { name: "other" } }, [
    role(),
    bind(user("joe")),
    ...mayAll(writeRbac),
    clusterRole("recorded-other", []),
  ]),
  change("binding gets a subject", `${roleBindings}/b`, { subjects: [user("jane")] }, [
    role(rule("get", "secrets")),
    bind(user("joe")),
    ...mayAll(writeRbac),
  ]),
  {
    name: "aggregation without a selector",
    path: clusterRoles,
    body: { metadata: { name: "new" }, aggregationRule: {} },
  },
  {
    name: "aggregation by a bad selector",
    path: clusterRoles,
    body: {
      metadata: { name: "new" },
      aggregationRule: {
        clusterRoleSelectors: [
          { matchLabels: { "a b": "c" } },
          { matchExpressions: [{ key: "a", operator: "In" }] },
        ],
      },
    },
  },
];

const impersonation: Exchange[] = [
  ask("user", "GET", pods, { as: { account: "default", user: "jane" } }),
  ask("user and group", "GET", pods, { as: { account: "default", user: "jane", group: "devs" } }),
  ask("group without a user", "GET", pods, { as: { group: "devs" } }),
  ask("another ServiceAccount", "GET", pods, {
    as: { account: "default", user: "system:serviceaccount:x:y" },
  }),
  ask("node", "GET", pods, { as: { account: "default", user: "system:node:n" } }),
  ask("by the verb impersonate", "GET", pods, {
    as: { account: "default", user: "jane" },
    given: [
      clusterRole("recorded-jane", [rule("impersonate", "users")]),
      bindAll("recorded-jane", user(robot)),
    ],
  }),
  ask("by the verb impersonate, but no group", "GET", pods, {
    as: { account: "default", user: "jane", group: "devs" },
    given: [
      clusterRole("recorded-jane", [rule("impersonate", "users")]),
      bindAll("recorded-jane", user(robot)),
    ],
  }),
  ask("for one kind of request", "GET", pods, {
    as: { account: "default", user: "jane" },
    given: [
      clusterRole("recorded-jane", [
        rule("impersonate:user-info", "users", { apiGroups: ["authentication.k8s.io"] }),
        rule("impersonate-on:user-info:list", "pods"),
      ]),
      bindAll("recorded-jane", user(robot)),
    ],
  }),
  ask("for one kind of request, another", "GET", `${pods}/a`, {
    as: { account: "default", user: "jane" },
    given: [
      clusterRole("recorded-jane", [
        rule("impersonate:user-info", "users", { apiGroups: ["authentication.k8s.io"] }),
        rule("impersonate-on:user-info:list", "pods"),
      ]),
      bindAll("recorded-jane", user(robot)),
    ],
  }),
  ask("as a master", "GET", `${pods}/a`, { as: { user: "jane", group: "system:masters" } }),
].map((exchange) => ({ ...exchange, name: `impersonation: ${exchange.name}` }));

const token = `${serviceAccounts}/default/token`;
const bound = (name: string, boundObjectRef: JsonObject, given: Given[] = []): Exchange => ({
  name: `token bound to ${name}`,
  path: token,
  body: { spec: { boundObjectRef } },
  given,
});
const tokens: Exchange[] = [
  { name: "token", path: token, body: {} },
  {
    name: "token for an audience",
    path: token,
    body: { spec: { audiences: ["a", "b"], expirationSeconds: 600 } },
  },
  { name: "token for a short time", path: token, body: { spec: { expirationSeconds: 599 } } },
  { name: "token for a long time", path: token, body: { spec: { expirationSeconds: 4_294_967_297 } } },
  { name: "token of another name", path: token, body: { metadata: { name: "b" } } },
  { name: "token of another namespace", path: token, body: { metadata: { namespace: "b" } } },
  { name: "token of a missing ServiceAccount", path: `${serviceAccounts}/none/token`, body: {} },
  ask("token without the permission", "POST", token, { body: {} }),
  bound("a missing Pod", { kind: "Pod", apiVersion: "v1", name: "none" }),
  bound("a Pod", { kind: "Pod", apiVersion: "v1", name: "a" }, [{ path: pods, body: pod() }]),
  {
    ...bound("a Pod for as long as kubelets ask", { kind: "Pod", apiVersion: "v1", name: "a" }, [
      { path: pods, body: pod() },
    ]),
    body: {
      spec: { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "a" }, expirationSeconds: 3607 },
    },
  },
  {
    ...bound("a Pod of another ServiceAccount", { kind: "Pod", apiVersion: "v1", name: "a" }, [
      { path: pods, body: pod() },
    ]),
    body: {
      spec: {
        boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "a" },
        audiences: ["vault"],
        expirationSeconds: 3607,
      },
    },
  },
  bound("a Pod on an unknown node", { kind: "Pod", apiVersion: "v1", name: "a" }, [
    { path: pods, body: pod({ nodeName: "n" }) },
  ]),
  bound("a Pod on a node", { kind: "Pod", apiVersion: "v1", name: "a" }, [
    { path: paths.nodes, body: { metadata: { name: "n" } } },
    { path: pods, body: pod({ nodeName: "n" }) },
  ]),
  bound("a Node", { kind: "Node", apiVersion: "v1", name: "n" }, [
    { path: paths.nodes, body: { metadata: { name: "n" } } },
  ]),
  bound("another Pod of that name", { kind: "Pod", apiVersion: "v1", name: "a", uid: "x" }, [
    { path: pods, body: pod() },
  ]),
  bound("a Pod of another account", { kind: "Pod", apiVersion: "v1", name: "a" }, [
    { path: serviceAccounts, body: { metadata: { name: "other" } } },
    { path: pods, body: pod({ serviceAccountName: "other", automountServiceAccountToken: false }) },
  ]),
  bound("a Secret", { kind: "Secret", apiVersion: "v1", name: "s" }, [
    { path: paths.secrets, body: { metadata: { name: "s" } } },
  ]),
  bound("a missing Node", { kind: "Node", apiVersion: "v1", name: "none" }),
  bound("a Deployment", { kind: "Deployment", apiVersion: "apps/v1", name: "d" }),
  { name: "token review", path: tokenReviews, body: { spec: { token: "x" } } },
  {
    name: "token review for an audience",
    path: tokenReviews,
    body: { spec: { token: "x", audiences: ["y"] } },
  },
  { name: "token review of a JWT", path: tokenReviews, body: { spec: { token: "e30.e30.e30" } } },
];

/** OwnerReferencesPermissionEnforcement: enabled here, and in the recorded server. */
const owners: Exchange[] = [
  byJane("owner", configMaps, owned({}), may(rule("create", "configmaps"))),
  byJane(
    "blocking owner",
    configMaps,
    owned({ blockOwnerDeletion: true }),
    may(rule("create", "configmaps")),
  ),
  byJane("blocking owner, with the permission", configMaps, owned({ blockOwnerDeletion: true }), [
    ...may(rule("create", "configmaps"), rule("update", "configmaps/finalizers")),
  ]),
  byJane(
    "owner of an unknown kind",
    configMaps,
    owned({ apiVersion: "example.org/v1", kind: "Thing", blockOwnerDeletion: true }),
    may(rule("create", "configmaps")),
  ),
  byJane(
    "owner of no namespace",
    configMaps,
    owned({ kind: "Node", blockOwnerDeletion: true }),
    may(rule("create", "configmaps"), rule("update", "*/finalizers")),
  ),
  change("owner later", `${configMaps}/a`, owned({}), [
    { path: configMaps, body: configMap() },
    ...may(rule("patch", "configmaps")),
  ]),
  change("owner added later, with the permission to delete", `${configMaps}/a`, owned({}), [
    { path: configMaps, body: configMap() },
    ...may(rule("patch,delete", "configmaps")),
  ]),
  change("owner that becomes blocking", `${configMaps}/a`, owned({ blockOwnerDeletion: true }), [
    { path: configMaps, body: owned({}) },
    ...may(rule("patch,delete", "configmaps")),
  ]),
];

export const access: Exchange[] = [
  ...refused.map((exchange) => ({ ...exchange, name: `refused: ${exchange.name}` })),
  ...allowed.map((exchange) => ({ ...exchange, name: `rule: ${exchange.name}` })),
  ...creations,
  ...reviews,
  ...escalations,
  ...impersonation,
  ...tokens,
  ...owners,
];
