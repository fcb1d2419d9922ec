import type { Json, Script, Step } from "../script.ts";
import { apply, configMap, deployment, get, merge, paths, pod, post, put, remove, setup } from "./make.ts";

const { configMaps, roles, roleBindings, clusterRoles, clusterRoleBindings, serviceAccounts, pods } = paths;
const script = (name: string, ...steps: Step[]): Script => ({ name, area: "access", steps });
const rbac = "rbac.authorization.k8s.io";
type Rule = { [key: string]: Json };
const rule = (verbs: string[], resources: string[], more: Rule = {}): Rule => ({
  apiGroups: [""],
  resources,
  verbs,
  ...more,
});
const role = (name: string, ...rules: Rule[]): Step => setup(post(roles, { metadata: { name }, rules }));
const bind = (name: string, roleName: string, user: string, kind = "Role"): Step =>
  setup(
    post(roleBindings, {
      metadata: { name },
      roleRef: { apiGroup: rbac, kind, name: roleName },
      subjects: [{ apiGroup: rbac, kind: "User", name: user }],
    }),
  );
const as = { as: "jane-{{ns}}" };
/** Waits until a real server's informer has seen a binding. */
const until = (verb: string, resource: string, more: Rule = {}): Step =>
  setup(
    get(`/api/v1/namespaces/{{ns}}/${resource}${verb === "list" ? "" : "/none"}`, {
      ...as,
      until: verb === "list" ? 200 : 404,
      ...more,
    }),
  );
const review = (kind: string, spec: Rule, more = {}): Step =>
  post(`/apis/authorization.k8s.io/v1/${kind}`, { spec }, more);
/** Replaces the default roles view and edit: a controller fills those, and no controller runs here. */
const clusterRole = (name: string, ...rules: Rule[]): Step =>
  setup(post(clusterRoles, { metadata: { name: `{{ns}}-${name}` }, rules }));
const view = clusterRole("view", rule(["get", "list", "watch"], ["configmaps", "pods"]));
const edit = clusterRole("edit", rule(["*"], ["configmaps", "pods", "secrets"]), {
  apiGroups: ["apps"],
  resources: ["deployments"],
  verbs: ["*"],
});
const account = (name: string): Step => setup(post(serviceAccounts, { metadata: { name } }));

/** Roles, bindings, escalation, tokens, reviews, impersonation. */
export const access: readonly Script[] = [
  script(
    "a user without bindings",
    get(configMaps, as),
    post(configMaps, configMap(), as),
    get(`${configMaps}/a`, as),
    remove(`${configMaps}/a`, undefined, as),
    merge(`${configMaps}/a`, {}, as),
    get("/api/v1/nodes", as),
    get("/apis/apps/v1/deployments", as),
    get(`${pods}/a/log`, as),
    get("/api/v1/namespaces/{{ns}}", as),
    remove(configMaps, undefined, as),
    { method: "GET", path: `${configMaps}?watch=true`, ...as },
  ),
  script(
    "paths that every user may read",
    get("/api", as),
    get("/apis/apps", as),
    get("/healthz", as),
    get("/metrics", as),
    get("/logs", as),
    get("/apis", as),
  ),
  script(
    "a Role grants access",
    role("reader", rule(["get", "list"], ["configmaps"])),
    bind("b", "reader", "jane-{{ns}}"),
    until("list", "configmaps"),
    setup(post(configMaps, configMap())),
    get(configMaps, as),
    get(`${configMaps}/a`, as),
    post(configMaps, configMap("b"), as),
    get(paths.secrets, as),
    { method: "GET", path: `${configMaps}?watch=true`, ...as },
  ),
  script(
    "resourceNames",
    role("one", rule(["get", "update", "delete"], ["configmaps"], { resourceNames: ["a"] })),
    bind("b", "one", "jane-{{ns}}"),
    setup(post(configMaps, configMap())),
    setup(get(`${configMaps}/a`, { ...as, until: 200 })),
    get(`${configMaps}/b`, as),
    get(configMaps, as),
    put(`${configMaps}/a`, configMap("a", { y: "1" }), as),
    post(configMaps, configMap("c"), as),
    get(`${configMaps}?fieldSelector=metadata.name%3Da`, as),
  ),
  script(
    "subresources",
    role("logs", rule(["get"], ["pods/log"]), rule(["create"], ["pods/exec"])),
    bind("b", "logs", "jane-{{ns}}"),
    setup(get(`${pods}/none/log`, { ...as, until: 404 })),
    get(`${pods}/none`, as),
    get(`${pods}/none/status`, as),
    merge(`${pods}/none/status`, {}, as),
  ),
  script(
    "a wildcard",
    role("all", { apiGroups: ["*"], resources: ["*"], verbs: ["*"] }),
    bind("b", "all", "jane-{{ns}}"),
    until("list", "configmaps"),
    post(configMaps, configMap(), as),
    get("/apis/apps/v1/namespaces/{{ns}}/deployments", as),
    get("/api/v1/namespaces/default/configmaps", as),
    get("/api/v1/nodes", as),
  ),
  script(
    "a ClusterRole in a namespace",
    view,
    bind("b", "{{ns}}-view", "jane-{{ns}}", "ClusterRole"),
    until("list", "configmaps"),
    get(configMaps, as),
    get(paths.secrets, as),
    post(configMaps, configMap(), as),
    get("/api/v1/configmaps", as),
  ),
  script(
    "edit and admin",
    edit,
    bind("b", "{{ns}}-edit", "jane-{{ns}}", "ClusterRole"),
    until("list", "configmaps"),
    post(configMaps, configMap(), as),
    get(roles, as),
    post(roles, { metadata: { name: "r" }, rules: [] }, as),
    post(paths.resourceQuotas, { metadata: { name: "q" }, spec: {} }, as),
    post(paths.deployments, deployment(), as),
  ),
  script(
    "groups",
    view,
    setup(
      post(roleBindings, {
        metadata: { name: "b" },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "{{ns}}-view" },
        subjects: [{ apiGroup: rbac, kind: "Group", name: "devs-{{ns}}" }],
      }),
    ),
    setup(get(configMaps, { as: "someone", groups: ["devs-{{ns}}"], until: 200 })),
    get(configMaps, { as: "someone", groups: ["other"] }),
  ),
  script(
    "escalation",
    role(
      "r",
      {
        apiGroups: [rbac],
        resources: ["roles", "rolebindings"],
        verbs: ["create", "update", "patch", "get"],
      },
      rule(["get"], ["configmaps"]),
    ),
    bind("b", "r", "jane-{{ns}}"),
    until("get", "configmaps"),
    post(roles, { metadata: { name: "same" }, rules: [rule(["get"], ["configmaps"])] }, as),
    post(
      roles,
      { metadata: { name: "more" }, rules: [rule(["get", "delete"], ["configmaps", "secrets"])] },
      as,
    ),
    post(
      roleBindings,
      {
        metadata: { name: "x" },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "cluster-admin" },
        subjects: [{ kind: "User", apiGroup: rbac, name: "jane" }],
      },
      as,
    ),
    merge(`${roles}/same`, { rules: [rule(["*"], ["*"])] }, as),
    merge(`${roles}/same`, { metadata: { labels: { a: "b" } } }, as),
  ),
  script(
    "escalate and bind as verbs",
    view,
    edit,
    role(
      "r",
      { apiGroups: [rbac], resources: ["roles"], verbs: ["create", "escalate"] },
      { apiGroups: [rbac], resources: ["rolebindings"], verbs: ["create"] },
      { apiGroups: [rbac], resources: ["clusterroles"], verbs: ["bind"], resourceNames: ["{{ns}}-view"] },
      rule(["get"], ["configmaps"]),
    ),
    bind("b", "r", "jane-{{ns}}"),
    until("get", "configmaps"),
    post(roles, { metadata: { name: "more" }, rules: [rule(["*"], ["*"])] }, as),
    post(
      roleBindings,
      {
        metadata: { name: "v" },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "{{ns}}-view" },
        subjects: [],
      },
      as,
    ),
    post(
      roleBindings,
      {
        metadata: { name: "e" },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "{{ns}}-edit" },
        subjects: [],
      },
      as,
    ),
  ),
  script(
    "a binding's role cannot change",
    role("r"),
    bind("b", "r", "x"),
    merge(`${roleBindings}/b`, { roleRef: { name: "other" } }),
    post(roleBindings, {
      metadata: { name: "c" },
      roleRef: { apiGroup: rbac, kind: "Role", name: "not-there" },
    }),
    post(roleBindings, {
      metadata: { name: "d" },
      roleRef: { apiGroup: rbac, kind: "Thing", name: "x" },
      subjects: [
        { kind: "Robot", name: "r" },
        { kind: "ServiceAccount", name: "a" },
        { kind: "User", name: "" },
      ],
    }),
  ),
  script(
    "invalid rules",
    post(roles, { metadata: { name: "a" }, rules: [{ verbs: [], resources: [], apiGroups: [] }] }),
    post(roles, { metadata: { name: "b" }, rules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }] }),
    post(clusterRoles, {
      metadata: { name: "{{ns}}-c" },
      rules: [{ verbs: ["get"], nonResourceURLs: ["/x"], resources: ["pods"], apiGroups: [""] }],
    }),
    post(clusterRoles, {
      metadata: { name: "{{ns}}:with:colons" },
      rules: [{ verbs: ["get"], nonResourceURLs: ["/x/*"] }],
    }),
    post(roles, { metadata: { name: "a/b" } }),
  ),
  script(
    "a cluster-wide binding",
    setup(
      post(clusterRoles, {
        metadata: { name: "{{ns}}" },
        rules: [rule(["list"], ["nodes"]), { nonResourceURLs: ["/metrics"], verbs: ["get"] }],
      }),
    ),
    setup(
      post(clusterRoleBindings, {
        metadata: { name: "{{ns}}" },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "{{ns}}" },
        subjects: [{ apiGroup: rbac, kind: "User", name: "jane-{{ns}}" }],
      }),
    ),
    setup(get("/api/v1/nodes", { ...as, until: 200 })),
    get("/api/v1/nodes/x", as),
    post(clusterRoleBindings, {
      metadata: { name: "{{ns}}-2" },
      roleRef: { apiGroup: rbac, kind: "Role", name: "x" },
    }),
  ),
  script(
    "default roles",
    get(`${clusterRoles}/cluster-admin`),
    get(`${clusterRoles}/system:aggregate-to-view`),
    get(`${clusterRoles}/system:basic-user`),
    get(`${clusterRoleBindings}/cluster-admin`),
    get(`${clusterRoles}/system:node`),
    get(`${clusterRoles}/system:kube-scheduler`),
    get(`${clusterRoleBindings}/system:basic-user`),
  ),
  script(
    "SelfSubjectAccessReview",
    review("selfsubjectaccessreviews", {
      resourceAttributes: { namespace: "{{ns}}", verb: "get", resource: "pods" },
    }),
    review(
      "selfsubjectaccessreviews",
      { resourceAttributes: { namespace: "{{ns}}", verb: "get", resource: "pods" } },
      as,
    ),
    review("selfsubjectaccessreviews", { nonResourceAttributes: { path: "/healthz", verb: "get" } }, as),
    review("selfsubjectaccessreviews", {}, as),
    review(
      "selfsubjectaccessreviews",
      { resourceAttributes: { verb: "get" }, nonResourceAttributes: { path: "/" } },
      as,
    ),
  ),
  script(
    "SelfSubjectAccessReview gives a reason",
    role("reader", rule(["get", "list"], ["configmaps"])),
    bind("b", "reader", "jane-{{ns}}"),
    until("list", "configmaps"),
    review(
      "selfsubjectaccessreviews",
      { resourceAttributes: { namespace: "{{ns}}", verb: "get", resource: "configmaps" } },
      as,
    ),
    review(
      "selfsubjectaccessreviews",
      { resourceAttributes: { namespace: "{{ns}}", verb: "delete", resource: "configmaps" } },
      as,
    ),
  ),
  script(
    "SubjectAccessReview",
    role("reader", rule(["get", "list"], ["configmaps"])),
    bind("b", "reader", "jane-{{ns}}"),
    until("list", "configmaps"),
    review("subjectaccessreviews", {
      user: "jane-{{ns}}",
      resourceAttributes: { namespace: "{{ns}}", verb: "list", resource: "configmaps" },
    }),
    review("subjectaccessreviews", {
      user: "unknown",
      groups: ["x"],
      resourceAttributes: { namespace: "{{ns}}", verb: "list", resource: "configmaps" },
    }),
    review("subjectaccessreviews", { resourceAttributes: { verb: "get", resource: "pods" } }),
    post("/apis/authorization.k8s.io/v1/namespaces/{{ns}}/localsubjectaccessreviews", {
      metadata: { namespace: "{{ns}}" },
      spec: {
        user: "jane-{{ns}}",
        resourceAttributes: { namespace: "{{ns}}", verb: "list", resource: "configmaps" },
      },
    }),
    post("/apis/authorization.k8s.io/v1/namespaces/{{ns}}/localsubjectaccessreviews", {
      metadata: { namespace: "{{ns}}" },
      spec: { user: "x", resourceAttributes: { namespace: "other", verb: "list", resource: "configmaps" } },
    }),
  ),
  script(
    "SelfSubjectRulesReview",
    role("reader", rule(["get", "list"], ["configmaps"]), {
      apiGroups: ["apps"],
      resources: ["deployments"],
      verbs: ["get"],
      resourceNames: ["web"],
    }),
    bind("b", "reader", "jane-{{ns}}"),
    until("list", "configmaps"),
    review("selfsubjectrulesreviews", { namespace: "{{ns}}" }, as),
    review("selfsubjectrulesreviews", {}, as),
  ),
  script(
    "SelfSubjectReview",
    post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, { as: "jane", groups: ["devs", "ops"] }),
    post(
      "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      {},
      { as: "system:serviceaccount:{{ns}}:default" },
    ),
  ),
  script(
    "TokenRequest",
    account("robot"),
    post(`${serviceAccounts}/robot/token`, { spec: { expirationSeconds: 3600 } }),
    post(`${serviceAccounts}/robot/token`, { spec: { expirationSeconds: 60 } }),
    post(`${serviceAccounts}/none/token`, { spec: {} }),
    post(`${serviceAccounts}/robot/token`, { spec: { audiences: ["vault"], expirationSeconds: 600 } }),
    post(`${serviceAccounts}/robot/token`, {
      spec: { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "none" } },
    }),
    post(`${serviceAccounts}/robot/token`, {
      spec: { boundObjectRef: { kind: "ConfigMap", apiVersion: "v1", name: "x" } },
    }),
  ),
  script(
    "a ServiceAccount's token",
    account("robot"),
    setup(post(`${serviceAccounts}/robot/token`, { spec: {} }, { id: "t" })),
    get(configMaps, { token: "{{t.status.token}}" }),
    post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, { token: "{{t.status.token}}" }),
    post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "{{t.status.token}}" } }),
    post("/apis/authentication.k8s.io/v1/tokenreviews", {
      spec: { token: "{{t.status.token}}", audiences: ["other"] },
    }),
    setup(remove(`${serviceAccounts}/robot`)),
    // A real server caches a valid token for ten seconds.
    get(configMaps, { token: "{{t.status.token}}", until: 401 }),
  ),
  script(
    "a token bound to a Pod",
    account("robot"),
    setup(post(pods, pod("a", { serviceAccountName: "robot" }))),
    setup(
      post(
        `${serviceAccounts}/robot/token`,
        { spec: { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "a" } } },
        { id: "t" },
      ),
    ),
    post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "{{t.status.token}}" } }),
    setup(remove(`${pods}/a`)),
    get(configMaps, { token: "{{t.status.token}}", until: 401 }),
  ),
  script(
    "TokenReview of an invalid token",
    post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "nonsense" } }),
    post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: {} }),
    get(configMaps, { token: "nonsense" }),
  ),
  script(
    "a binding grants a ServiceAccount access",
    account("robot"),
    role("reader", rule(["list"], ["configmaps"])),
    setup(
      post(roleBindings, {
        metadata: { name: "b" },
        roleRef: { apiGroup: rbac, kind: "Role", name: "reader" },
        subjects: [{ kind: "ServiceAccount", name: "robot", namespace: "{{ns}}" }],
      }),
    ),
    setup(post(`${serviceAccounts}/robot/token`, { spec: {} }, { id: "t" })),
    setup(get(configMaps, { token: "{{t.status.token}}", until: 200 })),
    get(`${configMaps}/a`, { token: "{{t.status.token}}" }),
    review("subjectaccessreviews", {
      user: "system:serviceaccount:{{ns}}:robot",
      resourceAttributes: { namespace: "{{ns}}", verb: "list", resource: "configmaps" },
    }),
  ),
  script(
    "impersonation",
    role("r", rule(["impersonate"], ["users"], { resourceNames: ["other"] })),
    get(configMaps, { as: "system:serviceaccount:{{ns}}:default" }),
    get(configMaps, { as: "jane", groups: ["system:masters"] }),
    get(configMaps, { groups: ["devs"] }),
    get(configMaps, { as: "", groups: ["x"] }),
  ),
  script(
    "owner references that block deletion",
    role("r", rule(["create", "get"], ["configmaps"])),
    bind("b", "r", "jane-{{ns}}"),
    until("get", "configmaps"),
    setup(post(configMaps, configMap("owner"), { id: "owner" })),
    post(
      configMaps,
      configMap(
        "a",
        {},
        {
          ownerReferences: [
            {
              apiVersion: "v1",
              kind: "ConfigMap",
              name: "owner",
              uid: "{{owner.metadata.uid}}",
              blockOwnerDeletion: true,
            },
          ],
        },
      ),
      as,
    ),
    post(
      configMaps,
      configMap(
        "b",
        {},
        {
          ownerReferences: [
            { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "{{owner.metadata.uid}}" },
          ],
        },
      ),
      as,
    ),
    post(
      configMaps,
      configMap(
        "c",
        {},
        {
          ownerReferences: [
            { apiVersion: "apps/v1", kind: "Deployment", name: "owner", uid: "x", blockOwnerDeletion: true },
          ],
        },
      ),
      as,
    ),
    post(
      configMaps,
      configMap(
        "d",
        {},
        {
          ownerReferences: [
            { apiVersion: "none/v1", kind: "Nothing", name: "owner", uid: "x", blockOwnerDeletion: true },
          ],
        },
      ),
      as,
    ),
  ),
  script(
    "apply needs patch, and create for a new object",
    role("r", rule(["patch", "get"], ["configmaps"])),
    bind("b", "r", "jane-{{ns}}"),
    until("get", "configmaps"),
    apply(`${configMaps}/a`, "m", configMap(), "", as),
    setup(post(configMaps, configMap())),
    apply(`${configMaps}/a`, "m", configMap("a", { z: "1" }), "", as),
  ),
];
