import type { JsonMap, RequestStep, Script, Step } from "../script.ts";
import {
  configMap,
  container,
  defined,
  deployment,
  get,
  merge,
  objectSchema,
  paths,
  pod,
  post,
  put,
  remove,
  service,
  setup,
  strategic,
} from "./make.ts";

const { pods, configMaps, claims, deployments, limitRanges, resourceQuotas, services, secrets } = paths;
const script = (name: string, ...steps: Step[]): Script => ({ name, area: "admission", steps });
const own = "/api/v1/namespaces/{{ns}}";
const security = "pod-security.kubernetes.io";
const label = (labels: JsonMap) =>
  merge(own, {
    metadata: {
      labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [`${security}/${key}`, value])),
    },
  });

const restricted = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};
const asking = (requests: JsonMap, limits: JsonMap = {}): JsonMap => ({
  containers: [container({ resources: { requests, limits } })],
});

/** A quota, with the status that its controller would write. */
const counted = (hard: JsonMap, more: JsonMap = {}, name = "q"): Step[] => [
  setup(
    post(resourceQuotas, {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name },
      spec: { hard, ...more },
    }),
  ),
  setup(
    merge(`${resourceQuotas}/${name}/status`, {
      status: { hard, used: Object.fromEntries(Object.keys(hard).map((key) => [key, "0"])) },
    }),
  ),
  // A real server sees it a moment later.
  setup(post(`${configMaps}?dryRun=All`, configMap("probe"))),
];

const claim = (name: string, storage: string): JsonMap => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});

const registration = "/apis/admissionregistration.k8s.io/v1";
const policies = `${registration}/validatingadmissionpolicies`;
const bindings = `${registration}/validatingadmissionpolicybindings`;
const rule = {
  apiGroups: [""],
  apiVersions: ["v1"],
  operations: ["CREATE", "UPDATE"],
  resources: ["configmaps"],
};
const inOwn = { matchLabels: { "kubernetes.io/metadata.name": "{{ns}}" } };

const policy = (spec: JsonMap, rules: JsonMap[] = [rule]): RequestStep =>
  post(policies, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "{{ns}}" },
    spec: { matchConstraints: { resourceRules: rules, namespaceSelector: inOwn }, ...spec },
  });
const binding = (spec: JsonMap = {}): RequestStep =>
  post(bindings, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "{{ns}}" },
    spec: { policyName: "{{ns}}", validationActions: ["Deny"], ...spec },
  });
/** A policy that also denies the name `probe`, to find out when it takes effect. */
const holding = (validations: JsonMap[], spec: JsonMap = {}, bound: JsonMap = {}): Step[] => [
  setup(
    policy({
      validations: [{ expression: "object.metadata.name != 'probe'", message: "probe" }, ...validations],
      ...spec,
    }),
  ),
  setup(binding(bound)),
  setup(post(`${configMaps}?dryRun=All`, configMap("probe"), { until: 422 })),
];

const webhook = (kind: "Mutating" | "Validating", members: JsonMap = {}): RequestStep =>
  post(`${registration}/${kind.toLowerCase()}webhookconfigurations`, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: "{{ns}}" },
    webhooks: [
      {
        name: "missing.example.io",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { url: "https://127.0.0.1:1/missing" },
        rules: [rule],
        namespaceSelector: inOwn,
        ...members,
      },
    ],
  });

/** Admission: defaults, denials and quotas. */
export const admission: readonly Script[] = [
  script(
    "PodSecurity: restricted",
    label({ enforce: "restricted" }),
    post(pods, pod("plain")),
    post(pods, pod("careful", { containers: [container({ securityContext: restricted })] })),
    post(
      pods,
      pod("init", {
        initContainers: [container({ name: "i" })],
        containers: [container({ securityContext: restricted })],
      }),
    ),
    post(deployments, deployment("warned")),
    merge(`${pods}/careful`, { metadata: { labels: { a: "b" } } }),
    strategic(`${pods}/careful`, { spec: { containers: [{ name: "main", image: "nginx:1.28" }] } }),
    strategic(`${pods}/careful/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "e", image: "x" }] },
    }),
  ),
  script(
    "PodSecurity: baseline",
    label({ enforce: "baseline", warn: "baseline" }),
    post(pods, pod("plain")),
    post(pods, pod("host", { hostNetwork: true })),
    post(pods, pod("port", { containers: [container({ ports: [{ containerPort: 80, hostPort: 80 }] })] })),
    post(pods, pod("path", { volumes: [{ name: "h", hostPath: { path: "/" } }] })),
    post(
      pods,
      pod("caps", { containers: [container({ securityContext: { capabilities: { add: ["NET_ADMIN"] } } })] }),
    ),
    post(pods, pod("privileged", { containers: [container({ securityContext: { privileged: true } })] })),
    post(pods, pod("unconfined", { securityContext: { seccompProfile: { type: "Unconfined" } } })),
  ),
  script(
    "PodSecurity: labels",
    label({ enforce: "none" }),
    label({ "enforce-version": "1.2" }),
    label({ audit: "restricted", "audit-version": "v1.30" }),
    setup(post(pods, pod("a"))),
    setup(post(pods, pod("b", { hostPID: true }))),
    // The admission plugin lists Pods from its informer, which may not have received b yet.
    setup({ ...label({ enforce: "baseline" }), path: `${own}?dryRun=All`, until: "warning" }),
    label({ enforce: "baseline" }),
    label({ enforce: "restricted" }),
    label({ enforce: "privileged" }),
    label({ enforce: null, "enforce-version": "v1.20" }),
  ),
  script(
    "LimitRange: defaults",
    post(limitRanges, {
      apiVersion: "v1",
      kind: "LimitRange",
      metadata: { name: "l" },
      spec: {
        limits: [
          {
            type: "Container",
            max: { cpu: "2", memory: "1Gi" },
            min: { cpu: "10m" },
            default: { cpu: "500m" },
            defaultRequest: { cpu: "100m" },
          },
        ],
      },
    }),
    post(pods, pod("a")),
    post(pods, pod("b", { initContainers: [container({ name: "i" })] })),
    post(pods, pod("c", asking({ cpu: "1m" }))),
    post(pods, pod("d", asking({}, { cpu: "3" }))),
    post(pods, pod("e", asking({ cpu: "600m" }))),
    merge(`${pods}/a`, { metadata: { annotations: { x: "y" } } }),
  ),
  script(
    "LimitRange: Pods and claims",
    setup(
      post(limitRanges, {
        apiVersion: "v1",
        kind: "LimitRange",
        metadata: { name: "l" },
        spec: {
          limits: [
            { type: "Pod", max: { cpu: "1" }, maxLimitRequestRatio: { memory: "2" } },
            { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } },
          ],
        },
      }),
    ),
    post(pods, pod("a", asking({ cpu: "1", memory: "1Gi" }, { cpu: "1", memory: "2Gi" }))),
    post(pods, pod("b", asking({ cpu: "1", memory: "1Gi" }, { cpu: "1", memory: "3Gi" }))),
    post(pods, pod("c", asking({ cpu: "2", memory: "1Gi" }, { cpu: "2", memory: "1Gi" }))),
    post(claims, claim("small", "1Mi")),
    post(claims, claim("good", "1500Mi")),
    post(claims, claim("large", "3Gi")),
  ),
  script(
    "ResourceQuota: counts",
    ...counted({ configmaps: "2", "count/secrets": "1", "count/deployments.apps": "1" }),
    post(configMaps, configMap("a")),
    post(configMaps, configMap("b")),
    post(configMaps, configMap("c")),
    put(`${configMaps}/d`, configMap("d")),
    post(secrets, { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }),
    post(secrets, { apiVersion: "v1", kind: "Secret", metadata: { name: "b" } }),
    post(deployments, deployment("a")),
    post(`${deployments}?dryRun=All`, deployment("b")),
    get(`${resourceQuotas}/q`),
  ),
  script(
    "ResourceQuota: resources of Pods",
    ...counted({ pods: "3", "requests.cpu": "1", "limits.memory": "1Gi", "requests.example.com/gpu": "1" }),
    post(pods, pod("silent")),
    post(pods, pod("a", asking({ cpu: "600m" }, { memory: "512Mi" }))),
    post(pods, pod("b", asking({ cpu: "0.6" }, { memory: "1Gi" }))),
    post(
      pods,
      pod("c", asking({ cpu: "1m", "example.com/gpu": "2" }, { memory: "1Mi", "example.com/gpu": "2" })),
    ),
    get(`${resourceQuotas}/q`),
  ),
  script(
    "ResourceQuota: Services and claims",
    ...counted({
      services: "2",
      "services.nodeports": "2",
      persistentvolumeclaims: "1",
      "requests.storage": "5Gi",
    }),
    post(services, service("a", { type: "NodePort" })),
    post(services, service("b")),
    post(services, service("c")),
    merge(`${services}/b`, {
      spec: {
        type: "NodePort",
        ports: [
          { port: 80, name: "a" },
          { port: 81, name: "b" },
        ],
      },
    }),
    post(claims, claim("a", "6Gi")),
    post(claims, claim("b", "4Gi")),
    post(claims, claim("c", "1Gi")),
    get(`${resourceQuotas}/q`),
  ),
  script(
    "ResourceQuota: scopes",
    ...counted({ pods: "0" }, { scopes: ["BestEffort"] }),
    ...counted({ pods: "0" }, { scopes: ["Terminating"] }, "t"),
    ...counted(
      { pods: "0" },
      {
        scopeSelector: {
          matchExpressions: [
            { scopeName: "PriorityClass", operator: "In", values: ["system-node-critical"] },
          ],
        },
      },
      "p",
    ),
    post(pods, pod("a")),
    post(pods, pod("b", asking({ cpu: "1m" }))),
    post(pods, pod("c", { ...asking({ cpu: "1m" }), activeDeadlineSeconds: 5 })),
    post(pods, pod("d", { ...asking({ cpu: "1m" }), priorityClassName: "system-node-critical" })),
    post(pods, pod("e", { ...asking({ cpu: "1m" }), priorityClassName: "system-cluster-critical" })),
  ),
  script(
    "ResourceQuota: without a status",
    setup(
      post(resourceQuotas, {
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "q" },
        spec: { hard: { configmaps: "1" } },
      }),
    ),
    post(configMaps, configMap("a")),
    merge(`${resourceQuotas}/q/status`, { status: { hard: { configmaps: "1" } } }),
    setup(post(`${configMaps}?dryRun=All`, configMap("probe"), { until: 403 })),
    post(configMaps, configMap("b")),
  ),
  script(
    "defaults of every Pod",
    post(pods, pod("a")),
    post(pods, pod("b", { tolerations: [{ operator: "Exists" }] })),
    post(pods, pod("c", { serviceAccountName: "missing" })),
    post(pods, pod("d", { priorityClassName: "nothing" })),
    post(pods, pod("e", { priority: 7 })),
    post(pods, pod("f", { preemptionPolicy: "Never" })),
    post(pods, pod("g", { runtimeClassName: "none" })),
    post(pods, pod("h", { overhead: { cpu: "1" } })),
  ),
  script(
    "protected namespaces",
    remove("/api/v1/namespaces/default"),
    remove("/api/v1/namespaces/kube-system"),
    remove("/api/v1/namespaces/kube-public"),
    post("/api/v1/namespaces/{{ns}}-gone/configmaps", configMap()),
  ),
  script(
    "a policy",
    ...holding([
      { expression: "object.data.x == '1'" },
      { expression: "object.metadata.name != 'b'", message: " no b ", reason: "Forbidden" },
      {
        expression: "object.metadata.name != 'c'",
        messageExpression: "'no ' + object.metadata.name + ' in ' + request.namespace",
      },
      {
        expression: "!has(object.data.y) || object.data.y.size() < 3",
        message: "short",
        messageExpression: "object.data.z",
      },
      { expression: "oldObject == null || oldObject.data.x == object.data.x" },
    ]),
    post(configMaps, configMap("a")),
    post(configMaps, configMap("a2", { x: "2" })),
    post(configMaps, configMap("b")),
    post(configMaps, configMap("c")),
    post(configMaps, configMap("d", { x: "1", y: "long" })),
    post(configMaps, configMap("e", { y: "1" })),
    post(`${configMaps}?dryRun=All`, configMap("f", {})),
    merge(`${configMaps}/a`, { data: { x: "3" } }),
    merge(`${configMaps}/a`, { data: { z: "3" } }),
    put(`${configMaps}/a`, configMap("a", { x: "1", y: "abc" })),
    remove(`${configMaps}/a`),
    remove(`${policies}/{{ns}}`),
    remove(`${bindings}/{{ns}}`),
  ),
  script(
    "a policy that warns",
    setup(
      policy({
        validations: [
          { expression: "object.metadata.name != 'probe'" },
          { expression: "false", message: "never" },
        ],
      }),
    ),
    setup(binding()),
    setup(post(`${configMaps}?dryRun=All`, configMap("probe"), { until: 422 })),
    setup(merge(`${bindings}/{{ns}}`, { spec: { validationActions: ["Warn", "Audit"] } })),
    setup(post(`${configMaps}?dryRun=All`, configMap("probe2"), { until: 201 })),
    post(configMaps, configMap("a")),
    setup(remove(`${policies}/{{ns}}`)),
  ),
  script(
    "a policy's variables, conditions and user",
    ...holding(
      [
        { expression: "variables.short", messageExpression: "'too long: ' + string(variables.length)" },
        {
          expression: "request.userInfo.username != 'jane' && 'missing' in request.userInfo.groups == false",
        },
        { expression: "authorizer.group('').resource('pods').namespace('{{ns}}').check('delete').allowed()" },
        { expression: "authorizer.requestResource.check('custom').allowed()" },
      ],
      {
        variables: [
          { name: "length", expression: "object.data.x.size()" },
          { name: "short", expression: "variables.length < 3" },
        ],
        matchConditions: [{ name: "not-free", expression: "!object.metadata.name.startsWith('free')" }],
      },
    ),
    post(configMaps, configMap("a", { x: "ab" })),
    post(configMaps, configMap("b", { x: "abcd" })),
    post(configMaps, configMap("free", { x: "abcd" })),
    post(configMaps, configMap("c", {})),
    setup(remove(`${policies}/{{ns}}`)),
  ),
  script(
    "failurePolicy Fail and Ignore",
    ...holding([{ expression: "object.data.nothing == 'x'" }]),
    post(configMaps, configMap("a")),
    setup(merge(`${policies}/{{ns}}`, { spec: { failurePolicy: "Ignore" } })),
    setup(post(`${configMaps}?dryRun=All`, configMap("probe2"), { until: 201 })),
    post(configMaps, configMap("a")),
    setup(remove(`${policies}/{{ns}}`)),
  ),
  script(
    "a policy with parameters",
    ...defined(objectSchema({ type: "object", properties: { max: { type: "integer" } } })),
    setup(
      post("/apis/{{ns}}.example.io/v1/namespaces/{{ns}}/bugs", {
        apiVersion: "{{ns}}.example.io/v1",
        kind: "Bug",
        metadata: { name: "limit", labels: { use: "yes" } },
        spec: { max: 3 },
      }),
    ),
    ...holding(
      [
        {
          expression: "int(object.data.x) <= params.spec.max",
          messageExpression: "'at most ' + string(params.spec.max)",
        },
      ],
      { paramKind: { apiVersion: "{{ns}}.example.io/v1", kind: "Bug" } },
      { paramRef: { name: "limit", parameterNotFoundAction: "Deny" } },
    ),
    // A real server finds the paramKind half a minute later, and denies every write until then.
    setup(post(`${configMaps}?dryRun=All`, configMap("known", { x: "1" }), { until: 201, patience: 60_000 })),
    post(configMaps, configMap("a", { x: "3" })),
    post(configMaps, configMap("b", { x: "4" })),
    post(configMaps, configMap("c", { x: "nan" })),
    setup(remove(`${policies}/{{ns}}`)),
  ),
  script(
    "a policy's configuration",
    policy({
      validations: [{ expression: "variables.a" }],
      variables: [
        { name: "a", expression: "1 > 0" },
        { name: "b", expression: "variables.c" },
      ],
    }),
    policy({ validations: [{ expression: "object.spec.replicas" }] }),
    policy({
      validations: [
        { expression: "has(object.spec) && object.x.y.exists(z, z > 1)", reason: "Unauthorized" },
      ],
    }),
    policy({ validations: [{ expression: "true", messageExpression: "object.metadata.name" }] }),
    policy({
      validations: [{ expression: "true" }],
      matchConditions: [{ name: "p", expression: "params == null" }],
    }),
    policy({ validations: [{ expression: "true" }] }, []),
    binding({ validationActions: ["Warn"], matchResources: { matchPolicy: "Sometimes" } }),
    binding({ paramRef: { selector: { matchLabels: { a: "b" } } } }),
  ),
  script(
    "a webhook without a server",
    setup(webhook("Validating")),
    setup(post(`${configMaps}?dryRun=All`, configMap("probe"), { until: 500 })),
    post(configMaps, configMap("a")),
    merge(`${registration}/validatingwebhookconfigurations/{{ns}}`, {
      webhooks: [
        {
          ...(webhook("Validating", { failurePolicy: "Ignore" }).body as { webhooks: JsonMap[] }).webhooks[0],
        },
      ],
    }),
    setup(post(`${configMaps}?dryRun=All`, configMap("probe"), { until: 201 })),
    post(configMaps, configMap("b")),
    remove(`${registration}/validatingwebhookconfigurations/{{ns}}`),
  ),
  script(
    "a mutating webhook without a server",
    setup(
      webhook("Mutating", {
        matchConditions: [{ name: "not-free", expression: "object.metadata.name != 'free'" }],
      }),
    ),
    setup(post(`${configMaps}?dryRun=All`, configMap("probe"), { until: 500 })),
    post(configMaps, configMap("a")),
    post(configMaps, configMap("free")),
    setup(remove(`${registration}/mutatingwebhookconfigurations/{{ns}}`)),
  ),
  script(
    "a webhook's configuration",
    webhook("Validating", { sideEffects: "Some", timeoutSeconds: 0 }),
    webhook("Mutating", { reinvocationPolicy: "Always", name: "x" }),
    webhook("Mutating", { clientConfig: { service: { namespace: "a", name: "b", path: "c d" } } }),
    webhook("Validating", { matchConditions: [{ name: "a", expression: "object.x" }] }),
    webhook("Mutating", { rules: [] }),
    get(`${registration}/mutatingwebhookconfigurations/{{ns}}`),
    setup(remove(`${registration}/mutatingwebhookconfigurations/{{ns}}`)),
  ),
];
