import type { JsonObject } from "../../../lib/json/json.ts";
import type { Exchange, Given } from "../exchange.ts";
import { mergePatch } from "../objects.ts";

// Responses of the admission plugins with a server's default settings. Each exchange that needs a namespace
// has its own, because a real server without controllers never finishes deleting one.

const namespaces = "/api/v1/namespaces";
const security = "pod-security.kubernetes.io";
const account = { metadata: { name: "default" }, automountServiceAccountToken: false };

/** Returns a namespace with an account for Pods, and other objects that must exist. */
function inNamespace(
  namespace: string,
  labels: Record<string, string>,
  ...more: [plural: string, body: JsonObject][]
): Given[] {
  const path = `${namespaces}/${namespace}`;
  return [
    { path: namespaces, body: { metadata: { name: namespace, labels } } },
    { path: `${path}/serviceaccounts`, body: account },
    ...more.map(([plural, body]) => ({ path: `${path}/${plural}`, body })),
  ];
}

const container = { name: "a", image: "x" };
const pod = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: "a" },
  spec: { containers: [container], ...spec },
});
const withContext = (securityContext: JsonObject, spec: JsonObject = {}) =>
  pod({ containers: [{ ...container, securityContext }], ...spec });

const violatesEverything = pod({
  hostNetwork: true,
  hostPID: true,
  containers: [
    {
      ...container,
      ports: [
        { containerPort: 80, hostPort: 80 },
        { containerPort: 443, hostPort: 443 },
      ],
      livenessProbe: { httpGet: { host: "example.com", port: 80 } },
      lifecycle: { preStop: { httpGet: { host: "example.org", port: 80 } } },
      securityContext: {
        privileged: true,
        capabilities: { add: ["NET_ADMIN", "SYS_TIME"] },
        seLinuxOptions: { type: "x", user: "u", role: "r" },
        seccompProfile: { type: "Unconfined" },
        appArmorProfile: { type: "Unconfined" },
        runAsUser: 0,
        runAsNonRoot: false,
      },
    },
    { ...container, name: "b" },
  ],
  initContainers: [{ ...container, name: "c", securityContext: { seLinuxOptions: { type: "y" } } }],
  volumes: [
    { name: "h", hostPath: { path: "/" } },
    { name: "n", nfs: { server: "a", path: "/" } },
  ],
  securityContext: {
    runAsUser: 0,
    sysctls: [{ name: "kernel.msgmax", value: "1" }],
    seccompProfile: { type: "Unconfined" },
    seLinuxOptions: { level: "s0" },
  },
});

const restricted: JsonObject = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

const template = { metadata: { labels: { app: "a" } }, spec: { containers: [container] } };
const deployment = {
  metadata: { name: "a" },
  spec: { selector: { matchLabels: { app: "a" } }, template },
};

let count = 0;
function levels(name: string, labels: Record<string, string>, path: string, body: JsonObject): Exchange {
  const namespace = `recorded-levels-${++count}`;
  const full = path.startsWith("/") ? path.replace("NS", namespace) : `${namespaces}/${namespace}/${path}`;
  const prefixed = Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [`${security}/${key}`, value]),
  );
  return { name: `PodSecurity: ${name}`, path: full, body, given: inNamespace(namespace, prefixed) };
}

const enforce = (level: string) => ({ enforce: level });
const podSecurity: Exchange[] = [
  levels("a plain Pod at restricted", enforce("restricted"), "pods", pod()),
  levels("a plain Pod at the baseline", enforce("baseline"), "pods", pod()),
  levels("a plain Pod, with warnings", { warn: "restricted" }, "pods", pod()),
  levels(
    "two containers",
    enforce("restricted"),
    "pods",
    pod({ containers: [container, { ...container, name: "b" }] }),
  ),
  levels("a Pod that satisfies restricted", enforce("restricted"), "pods", withContext(restricted)),
  levels("everything, restricted", enforce("restricted"), "pods", violatesEverything),
  levels("everything, baseline", enforce("baseline"), "pods", violatesEverything),
  levels(
    "everything, warned of, as it was in 1.24",
    { warn: "restricted", "warn-version": "v1.24" },
    "pods",
    violatesEverything,
  ),
  levels(
    "everything, as it was in 1.8",
    { enforce: "restricted", "enforce-version": "v1.8" },
    "pods",
    violatesEverything,
  ),
  levels(
    "what may be added",
    enforce("restricted"),
    "pods",
    withContext({ ...restricted, capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE", "CHOWN"] } }),
  ),
  levels(
    "set for the Pod as a whole",
    enforce("restricted"),
    "pods",
    withContext(
      { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
      { securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } } },
    ),
  ),
  levels("the user root", enforce("restricted"), "pods", withContext({ ...restricted, runAsUser: 0 })),
  levels(
    "allowed volumes",
    enforce("restricted"),
    "pods",
    withContext(restricted, { volumes: [{ name: "v" }] }),
  ),
  levels(
    "sysctls",
    enforce("baseline"),
    "pods",
    pod({ securityContext: { sysctls: [{ name: "net.ipv4.tcp_rmem", value: "1" }] } }),
  ),
  levels("a Deployment", enforce("restricted"), "/apis/apps/v1/namespaces/NS/deployments", deployment),
  levels(
    "a Deployment at the baseline",
    { enforce: "baseline", warn: "privileged" },
    "/apis/apps/v1/namespaces/NS/deployments",
    deployment,
  ),
  levels("a CronJob", { warn: "restricted" }, "/apis/batch/v1/namespaces/NS/cronjobs", {
    metadata: { name: "a" },
    spec: {
      schedule: "* * * * *",
      jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
    },
  }),
  {
    name: "PodSecurity: invalid labels",
    path: namespaces,
    body: {
      metadata: {
        name: "recorded-labels",
        labels: {
          [`${security}/enforce`]: "nope",
          [`${security}/warn-version`]: "v2",
          [`${security}/audit`]: "",
        },
      },
    },
  },
  {
    name: "PodSecurity: existing Pods",
    method: "PATCH",
    path: `${namespaces}/recorded-existing`,
    contentType: mergePatch,
    body: { metadata: { labels: { [`${security}/enforce`]: "restricted" } } },
    given: inNamespace(
      "recorded-existing",
      {},
      ["pods", pod()],
      ["pods", { ...pod(), metadata: { name: "b" } }],
      ["pods", { ...pod({ hostPID: true }), metadata: { name: "c" } }],
    ),
  },
];

function limited(name: string, limits: JsonObject[], plural: string, body: JsonObject): Exchange {
  const namespace = `recorded-limits-${++count}`;
  const range = { metadata: { name: "l" }, spec: { limits } };
  const given = inNamespace(namespace, {}, ["limitranges", range]);
  return { name: `LimitRanger: ${name}`, path: `${namespaces}/${namespace}/${plural}`, body, given };
}

const resources = (requests: JsonObject, limits: JsonObject, name = "a") => ({
  ...container,
  name,
  resources: { requests, limits },
});
const claim = (storage: string): JsonObject => ({
  metadata: { name: "a" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});

const limitRanger: Exchange[] = [
  limited(
    "defaults",
    [{ type: "Container", default: { cpu: "1", memory: "512Mi" }, defaultRequest: { memory: "256Mi" } }],
    "pods",
    pod({
      initContainers: [{ ...container, name: "i" }],
      containers: [container, resources({ cpu: "10m" }, {}, "b")],
    }),
  ),
  limited(
    "above",
    [{ type: "Container", max: { cpu: "1" } }],
    "pods",
    pod({ containers: [resources({}, { cpu: "2" })] }),
  ),
  limited(
    "below",
    [{ type: "Container", min: { cpu: "1" } }],
    "pods",
    pod({ containers: [resources({ cpu: "1m" }, {})] }),
  ),
  limited("not stated", [{ type: "Pod", max: { memory: "1Gi" } }], "pods", pod()),
  limited(
    "ratio",
    [{ type: "Container", maxLimitRequestRatio: { cpu: "2" } }],
    "pods",
    pod({ containers: [resources({ cpu: "300m" }, { cpu: "1" })] }),
  ),
  limited(
    "the sum",
    [{ type: "Pod", max: { cpu: "1500m" } }],
    "pods",
    pod({ containers: [resources({}, { cpu: "1" }), resources({}, { cpu: "1" }, "b")] }),
  ),
  limited(
    "a claim that is too large",
    [{ type: "PersistentVolumeClaim", max: { storage: "1Gi" } }],
    "persistentvolumeclaims",
    claim("2Gi"),
  ),
  limited(
    "a claim that is too small",
    [{ type: "PersistentVolumeClaim", min: { storage: "1Gi" } }],
    "persistentvolumeclaims",
    claim("1Mi"),
  ),
];

const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
const priorityClass = (name: string, value: number, more: JsonObject = {}): JsonObject => ({
  metadata: { name },
  value,
  ...more,
});
const high: Given = { path: classes, body: priorityClass("high", 1000, { preemptionPolicy: "Never" }) };
const byDefault: Given = { path: classes, body: priorityClass("by-default", 7, { globalDefault: true }) };
const recordedPods = "/api/v1/namespaces/recorded/pods";

const priority: Exchange[] = [
  { name: "Priority: a class", path: recordedPods, body: pod({ priorityClassName: "high" }), given: [high] },
  { name: "Priority: no such class", path: recordedPods, body: pod({ priorityClassName: "none" }) },
  {
    name: "Priority: another number",
    path: recordedPods,
    body: pod({ priorityClassName: "high", priority: 3 }),
    given: [high],
  },
  {
    name: "Priority: another policy",
    path: recordedPods,
    body: pod({ priorityClassName: "high", preemptionPolicy: "PreemptLowerPriority" }),
    given: [high],
  },
  { name: "Priority: a number alone", path: recordedPods, body: pod({ priority: 3 }) },
  {
    name: "Priority: of the system",
    path: recordedPods,
    body: pod({ priorityClassName: "system-node-critical" }),
  },
  { name: "PriorityClass", path: classes, body: priorityClass("a", 5) },
  {
    name: "PriorityClass: a second default",
    path: classes,
    body: priorityClass("a", 5, { globalDefault: true }),
    given: [byDefault],
  },
  { name: "PriorityClass: a name of the system", path: classes, body: priorityClass("system-a", 5) },
  { name: "PriorityClass: too high", path: classes, body: priorityClass("a", 2_000_000_000) },
  {
    name: "PriorityClass: policy",
    path: classes,
    body: priorityClass("a", 5, { preemptionPolicy: "Sometimes" }),
  },
  {
    name: "PriorityClass: another value",
    method: "PATCH",
    path: `${classes}/high`,
    contentType: mergePatch,
    body: { value: 5, preemptionPolicy: "PreemptLowerPriority" },
    given: [high],
  },
];

const inRecorded = (plural: string) => `/api/v1/namespaces/recorded/${plural}`;
const ranges = inRecorded("limitranges");
const quotas = inRecorded("resourcequotas");
const quota = (spec: JsonObject): JsonObject => ({ metadata: { name: "a" }, spec });
const limitRange = (...limits: JsonObject[]): JsonObject => ({ metadata: { name: "a" }, spec: { limits } });

const objects: Exchange[] = [
  {
    name: "LimitRange: defaults",
    path: ranges,
    body: limitRange({
      type: "Container",
      max: { cpu: "1" },
      min: { memory: "1Mi" },
      default: { memory: "2Mi" },
    }),
  },
  {
    name: "LimitRange: upside down",
    path: ranges,
    body: limitRange({ type: "Container", min: { cpu: "2" }, max: { cpu: "1" } }),
  },
  { name: "LimitRange: type", path: ranges, body: limitRange({ type: "Foo" }) },
  { name: "LimitRange: twice", path: ranges, body: limitRange({ type: "Pod" }, { type: "Pod" }) },
  {
    name: "LimitRange: a Pod's default",
    path: ranges,
    body: limitRange({ type: "Pod", default: { cpu: "1" } }),
  },
  {
    name: "LimitRange: a claim without bounds",
    path: ranges,
    body: limitRange({ type: "PersistentVolumeClaim" }),
  },
  {
    name: "LimitRange: resource",
    path: ranges,
    body: limitRange({ type: "Container", max: { storage: "1" } }),
  },
  {
    name: "ResourceQuota",
    path: quotas,
    body: quota({ hard: { pods: "2", "requests.cpu": "1500m", "count/jobs.batch": "1" } }),
  },
  { name: "ResourceQuota: negative", path: quotas, body: quota({ hard: { pods: "-1" } }) },
  { name: "ResourceQuota: half a Pod", path: quotas, body: quota({ hard: { pods: "1500m" } }) },
  { name: "ResourceQuota: resource", path: quotas, body: quota({ hard: { foo: "1" } }) },
  {
    name: "ResourceQuota: scopes that exclude each other",
    path: quotas,
    body: quota({ hard: { pods: "1" }, scopes: ["BestEffort", "NotBestEffort"] }),
  },
  {
    name: "ResourceQuota: a scope that does not fit",
    path: quotas,
    body: quota({ hard: { configmaps: "1" }, scopes: ["BestEffort"] }),
  },
  {
    name: "ResourceQuota: scope selector",
    path: quotas,
    body: quota({
      hard: { pods: "1" },
      scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In" }] },
    }),
  },
  {
    name: "ResourceQuota: other scopes",
    method: "PATCH",
    path: `${quotas}/a`,
    contentType: mergePatch,
    body: { spec: { scopes: ["NotBestEffort"] } },
    given: [{ path: quotas, body: quota({ hard: { pods: "1" }, scopes: ["BestEffort"] }) }],
  },
];

const mirror = { "kubernetes.io/config.mirror": "x" };
const accounts: Exchange[] = [
  {
    name: "ServiceAccount: missing",
    path: recordedPods,
    body: pod({ serviceAccountName: "none" }),
  },
  {
    name: "ServiceAccount: a mirror Pod",
    path: recordedPods,
    body: { ...pod({ serviceAccountName: "default" }), metadata: { name: "a", annotations: mirror } },
  },
  {
    name: "ServiceAccount: Secrets that it does not list",
    path: recordedPods,
    body: pod({ serviceAccountName: "strict", volumes: [{ name: "v", secret: { secretName: "s" } }] }),
    given: [
      {
        path: inRecorded("serviceaccounts"),
        body: {
          metadata: { name: "strict", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
          automountServiceAccountToken: false,
        },
      },
    ],
  },
  {
    name: "DefaultTolerationSeconds: its own toleration",
    path: recordedPods,
    body: pod({
      tolerations: [{ key: "node.kubernetes.io/not-ready", operator: "Exists", tolerationSeconds: 5 }],
    }),
  },
  {
    name: "DefaultIngressClass",
    path: "/apis/networking.k8s.io/v1/namespaces/recorded/ingresses",
    body: {
      metadata: { name: "a" },
      spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
    },
    given: [
      {
        path: "/apis/networking.k8s.io/v1/ingressclasses",
        body: {
          metadata: { name: "c", annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
          spec: { controller: "a/b" },
        },
      },
    ],
  },
];

const registration = "/apis/admissionregistration.k8s.io/v1";
const clientConfig = { url: "https://127.0.0.1:1/x" };
const rule = {
  apiGroups: ["example.com"],
  apiVersions: ["v1"],
  operations: ["CREATE"],
  resources: ["things"],
};
const webhook = (members: JsonObject): JsonObject => ({
  metadata: { name: "a" },
  webhooks: [
    {
      name: "a.example.com",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      clientConfig,
      rules: [rule],
      ...members,
    },
  ],
});
const validating = (name: string, members: JsonObject): Exchange => ({
  name: `webhook: ${name}`,
  path: `${registration}/validatingwebhookconfigurations`,
  body: webhook(members),
});
const service = { namespace: "a", name: "b" };

const webhooks: Exchange[] = [
  validating("defaults", {}),
  {
    name: "webhook: defaults of a mutating one",
    path: `${registration}/mutatingwebhookconfigurations`,
    body: webhook({ clientConfig: { service } }),
  },
  validating("nothing", {
    sideEffects: null,
    admissionReviewVersions: null,
    clientConfig: null,
    rules: null,
    name: "",
  }),
  validating("name", { name: "a" }),
  validating("side effects", { sideEffects: "Some" }),
  validating("versions", { admissionReviewVersions: ["v2", "v2"] }),
  validating("policies", { failurePolicy: "A", matchPolicy: "B" }),
  validating("timeout", { timeoutSeconds: 31 }),
  validating("URL", { clientConfig: { url: "http://u:p@x/y?z=1#f" } }),
  validating("URL and Service", { clientConfig: { ...clientConfig, service } }),
  validating("Service", {
    clientConfig: { service: { namespace: "", name: "", path: "a//B", port: 70_000 } },
  }),
  validating("operations", { rules: [{ ...rule, operations: ["*", "CREATE", "NOPE"] }] }),
  validating("groups and versions", {
    rules: [{ ...rule, apiGroups: ["*", "a"], apiVersions: ["", "*"], scope: "X" }],
  }),
  validating("resources", { rules: [{ ...rule, resources: ["a", "*", "a/*", "a/b", "*/*", ""] }] }),
  validating("selectors", {
    namespaceSelector: { matchExpressions: [{ key: "a b", operator: "X" }] },
    objectSelector: { matchLabels: { "a b": "c d" } },
  }),
  validating("conditions", {
    matchConditions: [
      { name: "a b", expression: "nope" },
      { name: "same", expression: "true" },
      { name: "same", expression: "" },
      { name: "text", expression: "'a'" },
      { name: "any", expression: "object.metadata.name" },
    ],
  }),
];

const policies = `${registration}/validatingadmissionpolicies`;
const bindings = `${registration}/validatingadmissionpolicybindings`;
const policy = (name: string, spec: JsonObject): Exchange => ({
  name: `policy: ${name}`,
  path: policies,
  body: {
    metadata: { name: "a" },
    spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: "true" }], ...spec },
  },
});
const binding = (name: string, spec: JsonObject): Exchange => ({
  name: `binding: ${name}`,
  path: bindings,
  body: { metadata: { name: "a" }, spec: { policyName: "a", validationActions: ["Deny"], ...spec } },
});

const admissionPolicies: Exchange[] = [
  policy("defaults", {}),
  policy("nothing", { matchConstraints: null, validations: null }),
  policy("no rules", { matchConstraints: {} }),
  policy("failure policy", { failurePolicy: "X" }),
  policy("expression", { validations: [{ expression: "object.foo ==" }] }),
  policy("no bool", { validations: [{ expression: "1 + 1" }] }),
  policy("unknown variable", { validations: [{ expression: "foo && params.a" }] }),
  policy("parameters", {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    validations: [{ expression: "params.data.a == 'b'" }],
  }),
  policy("kind of parameters", { paramKind: { apiVersion: "a/b/c", kind: "A B" } }),
  policy("message", { validations: [{ expression: "true", message: "a\nb", reason: "Nope" }] }),
  policy("message expression", { validations: [{ expression: "true", messageExpression: "1" }] }),
  policy("an authorizer in a message", {
    validations: [
      { expression: "true", messageExpression: "string(authorizer.path('/').check('get').allowed())" },
    ],
  }),
  policy("an authorizer", {
    validations: [{ expression: "authorizer.requestResource.check('get').allowed()" }],
  }),
  policy("variables", {
    variables: [
      { name: "a-b", expression: "1 +" },
      { name: "", expression: "" },
    ],
  }),
  policy("annotations", {
    auditAnnotations: [
      { key: "a b", valueExpression: "" },
      { key: "c", valueExpression: "1" },
    ],
  }),
  binding("defaults", { matchResources: { resourceRules: [rule] } }),
  binding("nothing", { policyName: "", validationActions: [] }),
  binding("actions", { validationActions: ["Deny", "Warn", "X", "X"] }),
  binding("parameters", { paramRef: { name: "a", selector: {}, parameterNotFoundAction: "X" } }),
  binding("empty parameters", { paramRef: {} }),
];

export const admission: Exchange[] = [
  ...podSecurity,
  ...limitRanger,
  ...priority,
  ...objects,
  ...accounts,
  ...webhooks,
  ...admissionPolicies,
];
