import type { Json, JsonMap, Script, Step } from "../script.ts";
import { container, deployment, get, merge, paths, pod, post, put, service, setup } from "./make.ts";

const { pods, deployments, services } = paths;
const script = (name: string, ...steps: Step[]): Script => ({ name, area: "validation", steps });
const each = (name: string, path: string, ...bodies: JsonMap[]): Script =>
  script(name, ...bodies.map((body) => post(path, body)));
const named = (spec: JsonMap, more: JsonMap = {}): JsonMap => ({ metadata: { name: "a" }, spec, ...more });
const inPod = (name: string, ...specs: JsonMap[]): Script =>
  each(`Pod: ${name}`, pods, ...specs.map((spec, index) => pod(`p${index}`, spec)));
const inContainer = (name: string, ...list: JsonMap[]): Script =>
  inPod(name, ...list.map((more) => ({ containers: [container(more)] })));
const template = (spec: JsonMap = {}, labels: JsonMap = { app: "a" }): JsonMap => ({
  metadata: { labels },
  spec: { containers: [container()], ...spec },
});
const job = (spec: JsonMap, name = "a"): JsonMap => ({
  metadata: { name },
  spec: { template: template({ restartPolicy: "Never" }), ...spec },
});
const probe = (more: JsonMap): JsonMap => ({ httpGet: { port: 80 }, ...more });

const newerEvents = "/apis/events.k8s.io/v1/namespaces/{{ns}}/events";
const newerEvent: JsonMap = {
  metadata: { name: "a" },
  regarding: { namespace: "{{ns}}", name: "x", kind: "Pod" },
  eventTime: "2026-01-01T00:00:00.000000Z",
  action: "A",
  reason: "R",
  reportingController: "example.io/c",
  reportingInstance: "i",
  type: "Normal",
  note: "n",
};
const autoscalers = "/apis/autoscaling/v2/namespaces/{{ns}}/horizontalpodautoscalers";
const autoscaler = (spec: JsonMap): JsonMap =>
  named({
    maxReplicas: 3,
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
    ...spec,
  });

/** Built-in kinds: the field and the reason of each validation error. */
export const validation: readonly Script[] = [
  inPod(
    "names of containers",
    { containers: [{ name: "", image: "x" }] },
    { containers: [{ name: "UPPER", image: "x" }] },
    { containers: [{ name: "a".repeat(64), image: "x" }] },
    { containers: [container(), container()] },
    { containers: [container({ image: "" })] },
    { containers: [container({ image: " nginx" })] },
    { containers: [] },
  ),
  inPod(
    "policies",
    { restartPolicy: "Sometimes" },
    { dnsPolicy: "None" },
    { dnsPolicy: "None", dnsConfig: { nameservers: ["x"], searches: ["not ok"], options: [{}] } },
    { preemptionPolicy: "Maybe" },
    { terminationGracePeriodSeconds: -1 },
    { activeDeadlineSeconds: 0 },
    { hostname: "Not.OK", subdomain: "UPPER" },
    { schedulerName: "a b" },
    { serviceAccountName: "NOT OK" },
    { serviceAccountName: "none" },
  ),
  inPod(
    "security context",
    { securityContext: { runAsUser: -1, runAsGroup: -1, fsGroup: -1, supplementalGroups: [-1] } },
    {
      securityContext: {
        sysctls: [
          { name: "bad name", value: "1" },
          { name: "kernel.x", value: "1" },
          { name: "kernel.x", value: "1" },
        ],
      },
    },
    { securityContext: { seccompProfile: { type: "Localhost" } } },
    { securityContext: { seccompProfile: { type: "Else" } } },
    { securityContext: { fsGroupChangePolicy: "Never" } },
    { hostPID: true, shareProcessNamespace: true },
  ),
  inContainer(
    "container's security context",
    { securityContext: { privileged: true, allowPrivilegeEscalation: false } },
    { securityContext: { capabilities: { add: ["CAP_SYS_ADMIN"] }, allowPrivilegeEscalation: false } },
    { securityContext: { runAsUser: -5 } },
    { securityContext: { procMount: "Odd" } },
    {
      securityContext: {
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
        capabilities: { drop: ["ALL"] },
        allowPrivilegeEscalation: false,
      },
    },
    { securityContext: { appArmorProfile: { type: "Localhost" } } },
  ),
  inContainer(
    "ports",
    { ports: [{ containerPort: 0 }] },
    { ports: [{ containerPort: 65_536 }] },
    { ports: [{ containerPort: 80, protocol: "HTTP" }] },
    { ports: [{ containerPort: 80, name: "UPPER" }] },
    {
      ports: [
        { containerPort: 80, name: "a" },
        { containerPort: 81, name: "a" },
      ],
    },
    { ports: [{ containerPort: 80, hostPort: 70_000 }] },
    { ports: [{ containerPort: 80, hostIP: "x" }] },
    { ports: [{}] },
  ),
  inContainer(
    "environment",
    { env: [{ name: "" }] },
    { env: [{ name: "A B" }] },
    { env: [{ name: "A=B" }] },
    { env: [{ name: "A", value: "1", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
    { env: [{ name: "A", valueFrom: {} }] },
    { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.nothing" } } }] },
    { env: [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.gpu" } } }] },
    { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "", key: "" } } }] },
    { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s", key: "not ok" } } }] },
    { envFrom: [{}] },
    { envFrom: [{ prefix: "1 a", configMapRef: { name: "NOT OK" } }] },
    { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.labels['not ok!']" } } }] },
  ),
  inContainer(
    "probes",
    { livenessProbe: {} },
    { livenessProbe: { httpGet: { port: 80 }, tcpSocket: { port: 80 } } },
    { livenessProbe: probe({ periodSeconds: -1, timeoutSeconds: -1, failureThreshold: -1 }) },
    { livenessProbe: probe({ successThreshold: 2 }) },
    { readinessProbe: { httpGet: { port: "none" } } },
    { readinessProbe: { httpGet: { port: 0, path: "x", scheme: "FTP" } } },
    { readinessProbe: { exec: {} } },
    { readinessProbe: probe({ terminationGracePeriodSeconds: 5 }) },
    { startupProbe: { grpc: { port: 0 } } },
    { lifecycle: { preStop: {} } },
    { lifecycle: { postStart: { sleep: { seconds: -1 } } } },
  ),
  inContainer(
    "resources",
    { resources: { limits: { cpu: "-1" } } },
    { resources: { limits: { cpu: "x" } } },
    { resources: { limits: { cpu: "1" }, requests: { cpu: "2" } } },
    { resources: { limits: { colour: "1" } } },
    { resources: { requests: { "example.io/gpu": "1" } } },
    { resources: { limits: { "example.io/gpu": "1.5" } } },
    { resources: { limits: { memory: "100m" } } },
    { resources: { claims: [{ name: "x" }] } },
    { imagePullPolicy: "Often", terminationMessagePolicy: "Loud", terminationMessagePath: "" },
    { resizePolicy: [{ resourceName: "cpu", restartPolicy: "No" }] },
  ),
  inPod(
    "volumes",
    { volumes: [{ name: "a" }] },
    { volumes: [{ name: "UPPER", emptyDir: {} }] },
    {
      volumes: [
        { name: "a", emptyDir: {} },
        { name: "a", emptyDir: {} },
      ],
    },
    { volumes: [{ name: "a", emptyDir: {}, configMap: { name: "x" } }] },
    { volumes: [{ name: "a", emptyDir: { sizeLimit: "-1" } }] },
    { volumes: [{ name: "a", configMap: { name: "", defaultMode: 9999 } }] },
    { volumes: [{ name: "a", secret: { secretName: "", items: [{ key: "", path: "../x" }] } }] },
    { volumes: [{ name: "a", hostPath: { path: "../x", type: "Odd" } }] },
    { volumes: [{ name: "a", projected: { sources: [{}] } }] },
    {
      volumes: [
        { name: "a", projected: { sources: [{ serviceAccountToken: { path: "", expirationSeconds: 5 } }] } },
      ],
    },
    {
      volumes: [{ name: "a", downwardAPI: { items: [{ path: "/abs", fieldRef: { fieldPath: "spec.x" } }] } }],
    },
    { volumes: [{ name: "a", persistentVolumeClaim: { claimName: "NOT OK" } }] },
  ),
  inPod(
    "mounts",
    { containers: [container({ volumeMounts: [{ name: "none", mountPath: "/a" }] })] },
    {
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [container({ volumeMounts: [{ name: "v", mountPath: "" }] })],
    },
    {
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [
        container({
          volumeMounts: [
            { name: "v", mountPath: "/a" },
            { name: "v", mountPath: "/a" },
          ],
        }),
      ],
    },
    {
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [container({ volumeMounts: [{ name: "v", mountPath: "/a", subPath: "../x" }] })],
    },
    {
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [
        container({ volumeMounts: [{ name: "v", mountPath: "/a", subPath: "x", subPathExpr: "y" }] }),
      ],
    },
  ),
  inPod(
    "affinity and tolerations",
    { tolerations: [{ operator: "Exists", value: "x" }] },
    { tolerations: [{ key: "a", operator: "Near" }] },
    { tolerations: [{ key: "a", effect: "Never" }] },
    { tolerations: [{ key: "a", effect: "NoSchedule", tolerationSeconds: 5 }] },
    { tolerations: [{ operator: "Equal" }] },
    { nodeSelector: { "bad key": "x" } },
    {
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
      },
    },
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: "a", operator: "Near", values: ["x"] },
                  { key: "b", operator: "In" },
                ],
              },
            ],
          },
        },
      },
    },
    {
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 0, podAffinityTerm: { topologyKey: "" } },
          ],
        },
      },
    },
    { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "", whenUnsatisfiable: "Perhaps" }] },
  ),
  inPod(
    "init containers",
    { initContainers: [container()] },
    { initContainers: [container({ name: "i", livenessProbe: probe({}) })] },
    { initContainers: [container({ name: "i", restartPolicy: "Always", readinessProbe: probe({}) })] },
    { initContainers: [container({ name: "i", restartPolicy: "Never" })] },
    { containers: [container({ restartPolicy: "Always" })] },
    { initContainers: [container({ name: "i", lifecycle: { preStop: { exec: { command: ["x"] } } } })] },
  ),
  inPod(
    "host settings",
    { hostNetwork: true, containers: [container({ ports: [{ containerPort: 80, hostPort: 81 }] })] },
    { hostAliases: [{ ip: "x", hostnames: ["NOT OK"] }] },
    { imagePullSecrets: [{ name: "" }] },
    { readinessGates: [{ conditionType: "not ok!" }] },
    { os: { name: "beos" } },
    { overhead: { cpu: "1" } },
    { runtimeClassName: "none" },
    { priorityClassName: "none" },
    { priority: 5 },
    { nodeName: "NOT OK" },
    { schedulingGates: [{ name: "not ok!" }], nodeName: "n" },
  ),
  script(
    "Pod: allowed updates",
    setup(post(pods, pod("a", { containers: [container(), container({ name: "side" })], tolerations: [] }))),
    merge(`${pods}/a`, { spec: { activeDeadlineSeconds: 100 } }),
    merge(`${pods}/a`, { spec: { activeDeadlineSeconds: 200 } }),
    merge(`${pods}/a`, { spec: { terminationGracePeriodSeconds: 1 } }),
    {
      method: "PATCH",
      path: `${pods}/a`,
      contentType: "application/strategic-merge-patch+json",
      body: { spec: { containers: [{ name: "main", image: "nginx:2" }] } },
    },
    {
      method: "PATCH",
      path: `${pods}/a`,
      contentType: "application/strategic-merge-patch+json",
      body: { spec: { containers: [{ name: "main", image: "" }] } },
    },
    {
      method: "PATCH",
      path: `${pods}/a`,
      contentType: "application/strategic-merge-patch+json",
      body: {
        spec: { tolerations: [{ key: "x", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }] },
      },
    },
    merge(`${pods}/a`, { spec: { tolerations: [] } }),
  ),
  script(
    "Pod: binding",
    setup(post(pods, pod())),
    post(`${pods}/a/binding`, { metadata: { name: "a" }, target: { kind: "Node", name: "" } }),
    post(`${pods}/a/binding`, { metadata: { name: "a" }, target: { kind: "Pod", name: "n" } }),
    post(`${pods}/a/binding`, { metadata: { name: "a" }, target: { kind: "Node", name: "n1" } }),
    post(`${pods}/a/binding`, { metadata: { name: "a" }, target: { kind: "Node", name: "n2" } }),
    post(`${pods}/none/binding`, { target: { kind: "Node", name: "n2" } }),
    get(`${pods}/a`),
  ),
  script(
    "Pod: ephemeral containers",
    setup(post(pods, pod())),
    merge(`${pods}/a/ephemeralcontainers`, { spec: { ephemeralContainers: [{ name: "main", image: "x" }] } }),
    merge(`${pods}/a/ephemeralcontainers`, {
      spec: {
        ephemeralContainers: [
          { name: "d", image: "x", ports: [{ containerPort: 1 }], targetContainerName: "none" },
        ],
      },
    }),
    merge(`${pods}/a/ephemeralcontainers`, {
      spec: {
        ephemeralContainers: [
          { name: "d", image: "busybox", targetContainerName: "main", stdin: true, tty: true },
        ],
      },
    }),
    merge(`${pods}/a/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "d", image: "alpine" }] },
    }),
    merge(`${pods}/a/ephemeralcontainers`, { spec: { ephemeralContainers: [] } }),
    get(`${pods}/a/ephemeralcontainers`),
    merge(`${pods}/a`, { spec: { ephemeralContainers: [{ name: "e", image: "x" }] } }),
  ),
  script(
    "Pod: status",
    setup(post(pods, pod("a", { nodeName: "n1" }))),
    merge(`${pods}/a/status`, { status: { phase: "Odd" } }),
    merge(`${pods}/a/status`, {
      status: {
        phase: "Running",
        podIP: "10.244.0.5",
        podIPs: [{ ip: "10.244.0.5" }],
        conditions: [{ type: "Ready", status: "True" }],
      },
    }),
    merge(`${pods}/a/status`, { spec: { activeDeadlineSeconds: 5 } }),
  ),
  each(
    "Deployment: selector and template",
    deployments,
    named({}),
    named({ selector: {}, template: template() }),
    named({ selector: { matchLabels: { app: "b" } }, template: template() }),
    named({ selector: { matchLabels: { app: "a" } }, template: template({ restartPolicy: "Never" }) }),
    named({ selector: { matchLabels: { app: "not ok" } }, template: template() }),
    named({
      selector: {
        matchExpressions: [
          { key: "a", operator: "Like" },
          { key: "b", operator: "In" },
          { key: "c", operator: "Exists", values: ["x"] },
        ],
      },
      template: template(),
    }),
    named({ selector: { matchLabels: { app: "a" } }, template: template({ containers: [] }) }),
    named({ selector: { matchLabels: { app: "a" } }, template: template({ activeDeadlineSeconds: 5 }) }),
  ),
  each(
    "Deployment: strategy and numbers",
    deployments,
    ...[
      { replicas: -1 },
      { minReadySeconds: -1 },
      { revisionHistoryLimit: -1 },
      { progressDeadlineSeconds: 0, minReadySeconds: 5 },
      { strategy: { type: "Odd" } },
      { strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } },
      { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
      { strategy: { rollingUpdate: { maxSurge: "x%", maxUnavailable: "150%" } } },
      { strategy: { rollingUpdate: { maxSurge: -1 } } },
    ].map((spec) => deployment("web", spec)),
  ),
  script(
    "ReplicaSet",
    post(
      paths.replicaSets,
      named({ replicas: -1, selector: { matchLabels: { app: "x" } }, template: template() }),
    ),
    post(
      paths.replicaSets,
      named({
        replicas: 1,
        minReadySeconds: -1,
        selector: { matchLabels: { app: "a" } },
        template: template(),
      }),
    ),
    post(
      paths.replicaSets,
      named({ replicas: 1, selector: { matchLabels: { app: "a" } }, template: template() }),
    ),
    merge(`${paths.replicaSets}/a`, { spec: { selector: { matchLabels: { app: "b" } } } }),
    put(`${paths.replicaSets}/a`, { metadata: { name: "a" }, spec: {} }),
  ),
  script(
    "StatefulSet",
    post(
      paths.statefulSets,
      named({
        serviceName: "x",
        podManagementPolicy: "Odd",
        updateStrategy: { type: "Odd" },
        replicas: -1,
        selector: { matchLabels: { app: "a" } },
        template: template(),
      }),
    ),
    post(
      paths.statefulSets,
      named({
        serviceName: "x",
        updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } },
        selector: { matchLabels: { app: "a" } },
        template: template(),
      }),
    ),
    post(
      paths.statefulSets,
      named({
        serviceName: "x",
        selector: { matchLabels: { app: "a" } },
        template: template(),
        volumeClaimTemplates: [
          {
            metadata: { name: "data" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
      }),
    ),
    merge(`${paths.statefulSets}/a`, { spec: { serviceName: "y" } }),
    merge(`${paths.statefulSets}/a`, { spec: { podManagementPolicy: "Parallel" } }),
    merge(`${paths.statefulSets}/a`, { spec: { replicas: 3 } }),
    post(paths.statefulSets, {
      metadata: { name: "b" },
      spec: {
        selector: { matchLabels: { app: "a" } },
        template: template(),
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Odd" },
        ordinals: { start: -1 },
      },
    }),
  ),
  script(
    "DaemonSet",
    post(paths.daemonSets, named({ selector: { matchLabels: { app: "b" } }, template: template() })),
    post(
      paths.daemonSets,
      named({
        selector: { matchLabels: { app: "a" } },
        template: template({ restartPolicy: "OnFailure" }),
        updateStrategy: { type: "Odd" },
      }),
    ),
    post(
      paths.daemonSets,
      named({
        selector: { matchLabels: { app: "a" } },
        template: template(),
        updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
      }),
    ),
    post(paths.daemonSets, named({ selector: { matchLabels: { app: "a" } }, template: template() })),
    merge(`${paths.daemonSets}/a`, { spec: { selector: { matchLabels: { app: "c" } } } }),
  ),
  script(
    "Job",
    post(paths.jobs, named({ template: template() })),
    post(
      paths.jobs,
      named({
        template: template({ restartPolicy: "Never" }),
        parallelism: -1,
        completions: -1,
        backoffLimit: -1,
        activeDeadlineSeconds: -1,
        ttlSecondsAfterFinished: -1,
      }),
    ),
    post(paths.jobs, named({ template: template({ restartPolicy: "Never" }), completionMode: "Indexed" })),
    post(
      paths.jobs,
      named({
        template: template({ restartPolicy: "Never" }),
        completionMode: "Odd",
        podReplacementPolicy: "Odd",
      }),
    ),
    post(
      paths.jobs,
      named({ template: template({ restartPolicy: "Never" }, {}), selector: { matchLabels: { a: "b" } } }),
    ),
    post(
      paths.jobs,
      named({
        template: template({ restartPolicy: "OnFailure" }),
        podFailurePolicy: { rules: [{ action: "Odd" }] },
      }),
    ),
    post(paths.jobs, named({ template: template({ restartPolicy: "Never" }), completions: 2 })),
    merge(`${paths.jobs}/a`, { spec: { completions: 3 } }),
    merge(`${paths.jobs}/a`, { spec: { parallelism: 2, backoffLimit: 3 } }),
    merge(`${paths.jobs}/a`, { spec: { selector: { matchLabels: { x: "y" } } } }),
  ),
  each(
    "Job: selector and labels",
    paths.jobs,
    job({ template: template({ restartPolicy: "Never" }, { "job-name": "other", app: "a" }) }),
    job({ selector: { matchLabels: { app: "a" } }, manualSelector: true }),
    job({ selector: { matchLabels: { app: "b" } }, manualSelector: true }, "b"),
    job({ manualSelector: true }, "b"),
    job({ selector: { matchLabels: { app: "not ok" } } }, "b"),
  ),
  script(
    "Job: indexes",
    post(paths.jobs, job({ backoffLimitPerIndex: 1, maxFailedIndexes: -1 })),
    post(paths.jobs, job({ completionMode: "Indexed", completions: 2, maxFailedIndexes: 3 })),
    post(paths.jobs, job({ completionMode: "Indexed", completions: 2 }, "a".repeat(62))),
    post(paths.jobs, job({ successPolicy: { rules: [{ succeededCount: 1 }] } })),
    post(
      paths.jobs,
      job({
        completionMode: "Indexed",
        completions: 2,
        backoffLimitPerIndex: 1,
        successPolicy: { rules: [{ succeededCount: 1 }] },
      }),
    ),
    merge(`${paths.jobs}/a`, { spec: { backoffLimitPerIndex: 2 } }),
    merge(`${paths.jobs}/a`, { spec: { successPolicy: { rules: [{ succeededCount: 2 }] } } }),
  ),
  script(
    "Job: pod failure policy",
    ...[
      [{ action: "FailIndex", onExitCodes: { operator: "In", values: [0, 1] } }],
      [{ action: "Count", onExitCodes: { operator: "Is", values: [] } }],
      [{ action: "Ignore", onExitCodes: { operator: "NotIn", values: [2, 1, 1], containerName: "none" } }],
      [{ action: "FailJob", onPodConditions: [{ type: "not ok!", status: "Maybe" }] }],
      [
        {
          action: "FailJob",
          onExitCodes: { operator: "In", values: [1] },
          onPodConditions: [{ type: "DisruptionTarget" }],
        },
      ],
      [
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] },
        { action: "FailJob", onExitCodes: { containerName: "main", operator: "In", values: [1, 42] } },
      ],
    ].map((rules) => post(paths.jobs, job({ podFailurePolicy: { rules } }))),
    post(
      paths.jobs,
      job({ podReplacementPolicy: "TerminatingOrFailed", podFailurePolicy: { rules: [] } }, "b"),
    ),
    merge(`${paths.jobs}/a`, { spec: { podFailurePolicy: { rules: [] } } }),
  ),
  script(
    "CronJob",
    ...[
      { schedule: "" },
      { schedule: "often" },
      { schedule: "* * * *" },
      { schedule: "@hourly", concurrencyPolicy: "Odd" },
      { schedule: "TZ=UTC * * * * *" },
      { schedule: "* * * * *", timeZone: "Mars/Olympus" },
      { schedule: "* * * * *", startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1 },
      { schedule: "* * * * *" },
    ].map((spec) =>
      post(
        paths.cronJobs,
        named({ jobTemplate: { spec: { template: template({ restartPolicy: "Never" }) } }, ...spec }),
      ),
    ),
    post(paths.cronJobs, {
      metadata: { name: "a".repeat(53) },
      spec: {
        schedule: "* * * * *",
        jobTemplate: { spec: { template: template({ restartPolicy: "Never" }) } },
      },
    }),
    post(paths.cronJobs, {
      metadata: { name: "b" },
      spec: { schedule: "* * * * *", jobTemplate: { spec: { template: template() } } },
    }),
    post(paths.cronJobs, {
      metadata: { name: "c" },
      spec: {
        schedule: "* * * * *",
        jobTemplate: job({ selector: { matchLabels: { app: "a" } }, manualSelector: true }),
      },
    }),
  ),
  each(
    "Service",
    services,
    ...[
      { ports: [] },
      { ports: [{ port: 0 }] },
      { ports: [{ port: 80 }, { port: 81 }] },
      {
        ports: [
          { name: "a", port: 80 },
          { name: "a", port: 81 },
        ],
      },
      {
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 80 },
        ],
      },
      { ports: [{ port: 80, targetPort: "UPPER" }] },
      { ports: [{ port: 80, targetPort: 70_000 }] },
      { ports: [{ port: 80, protocol: "HTTP" }] },
      { ports: [{ port: 80, nodePort: 30_000 }] },
      { type: "NodePort", ports: [{ port: 80, nodePort: 80 }] },
      { type: "Odd" },
      { type: "ExternalName" },
      { type: "ExternalName", externalName: "not ok" },
      { sessionAffinity: "Odd" },
      { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
      { clusterIP: "x" },
      { externalIPs: ["127.0.0.1"] },
      { selector: { "bad key": "x" } },
      { type: "LoadBalancer", loadBalancerSourceRanges: ["x"] },
      { externalTrafficPolicy: "Local" },
      { internalTrafficPolicy: "Odd" },
      { ipFamilies: ["IPv6"] },
      { ipFamilyPolicy: "Odd" },
      { publishNotReadyAddresses: true },
    ].map((spec, index) => service(`s${index}`, spec)),
  ),
  each(
    "Service: addresses and node ports",
    services,
    ...[
      { clusterIP: "10.96.0.0" },
      { clusterIP: "10.96.255.255" },
      { clusterIP: "fd00::1" },
      {
        type: "NodePort",
        ports: [
          { name: "a", port: 80, nodePort: 31_234 },
          { name: "b", port: 81, nodePort: 31_234 },
        ],
      },
      {
        type: "NodePort",
        ports: [
          { name: "dns", port: 53, protocol: "UDP" },
          { name: "dns-tcp", port: 53, protocol: "TCP" },
        ],
      },
    ].map((spec, index) => service(`s${index}`, spec)),
  ),
  script(
    "Service: allowed updates",
    setup(post(services, service())),
    merge(`${services}/web`, { spec: { clusterIP: "10.96.9.9" } }),
    merge(`${services}/web`, { spec: { clusterIP: "" } }),
    merge(`${services}/web`, { spec: { ports: [] } }),
    merge(`${services}/web`, { spec: { type: "LoadBalancer" } }),
    merge(`${services}/web/status`, { status: { loadBalancer: { ingress: [{ ip: "x" }] } } }),
    merge(`${services}/web/status`, {
      status: { loadBalancer: { ingress: [{ ip: "127.0.0.1", hostname: "NOT OK" }] } },
    }),
    merge(`${services}/web/status`, {
      status: { loadBalancer: { ingress: [{ ip: "172.18.0.9", ports: [{ port: 80, protocol: "TCP" }] }] } },
    }),
  ),
  each(
    "Secret",
    paths.secrets,
    ...[
      { type: "kubernetes.io/tls", data: {} },
      { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": "eA==" } },
      { type: "kubernetes.io/basic-auth" },
      { type: "kubernetes.io/ssh-auth" },
      { type: "kubernetes.io/service-account-token" },
      { data: { "not ok": "eA==" } },
      { type: "bootstrap.kubernetes.io/token" },
    ].map((more) => ({ metadata: { name: "a" }, ...more }) as JsonMap),
  ),
  script(
    "Secret: immutable type",
    setup(post(paths.secrets, { metadata: { name: "a" }, type: "Opaque" })),
    merge(`${paths.secrets}/a`, { type: "example.io/x" }),
    merge(`${paths.secrets}/a`, { immutable: true }),
    merge(`${paths.secrets}/a`, { data: { x: "eA==" } }),
  ),
  each(
    "ConfigMap",
    paths.configMaps,
    ...[
      { data: { "not ok": "x" } },
      { data: { a: "x" }, binaryData: { a: "eA==" } },
      { binaryData: { a: "%" } },
      { data: { "..": "x" } },
    ].map((more) => ({ metadata: { name: "a" }, ...more }) as JsonMap),
  ),
  each(
    "PersistentVolumeClaim",
    paths.claims,
    ...(
      [
        {},
        { accessModes: ["Odd"] },
        { accessModes: ["ReadWriteOnce"] },
        { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "0" } } },
        {
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: "1Gi" } },
          storageClassName: "NOT OK",
        },
        { accessModes: ["ReadWriteOnce"], volumeMode: "Odd", resources: { requests: { storage: "1Gi" } } },
        { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      ] as JsonMap[]
    ).map((spec) => named(spec)),
  ),
  script(
    "PersistentVolumeClaim: allowed updates",
    setup(
      post(
        paths.claims,
        named({ accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } }),
      ),
    ),
    merge(`${paths.claims}/a`, { spec: { accessModes: ["ReadOnlyMany"] } }),
    merge(`${paths.claims}/a`, { spec: { resources: { requests: { storage: "2Gi" } } } }),
  ),
  each(
    "PodDisruptionBudget",
    paths.disruptionBudgets,
    ...(
      [
        {},
        { minAvailable: 1, maxUnavailable: 1 },
        { minAvailable: -1 },
        { minAvailable: "150%" },
        { maxUnavailable: "x" },
        { minAvailable: 1, selector: { matchLabels: { a: "not ok" } } },
        { minAvailable: 1, unhealthyPodEvictionPolicy: "Odd" },
        { minAvailable: "50%", selector: { matchLabels: { app: "a" } } },
      ] as JsonMap[]
    ).map((spec, index) => ({ metadata: { name: `b${index}` }, spec })),
  ),
  each(
    "LimitRange",
    paths.limitRanges,
    ...(
      [
        { limits: [{ type: "Odd" }] },
        { limits: [{ type: "Container", max: { cpu: "1" }, min: { cpu: "2" } }] },
        { limits: [{ type: "Container", default: { cpu: "2" }, max: { cpu: "1" } }] },
        { limits: [{ type: "Pod", default: { cpu: "1" } }] },
        { limits: [{ type: "Container", defaultRequest: { cpu: "1" }, default: { cpu: "500m" } }] },
        { limits: [] },
      ] as JsonMap[]
    ).map((spec, index) => ({ metadata: { name: `l${index}` }, spec })),
  ),
  each(
    "ResourceQuota",
    paths.resourceQuotas,
    ...(
      [
        { hard: { cpu: "-1" } },
        { hard: { "odd thing": "1" } },
        { hard: { pods: "1.5" } },
        { hard: { pods: "1" }, scopes: ["Odd"] },
        { hard: { pods: "1" }, scopes: ["BestEffort", "NotBestEffort"] },
        { hard: { cpu: "1" }, scopes: ["BestEffort"] },
        { hard: { pods: "2", "count/configmaps": "5" } },
      ] as JsonMap[]
    ).map((spec, index) => ({ metadata: { name: `q${index}` }, spec })),
  ),
  each(
    "Lease",
    paths.leases,
    named({ leaseDurationSeconds: 0, leaseTransitions: -1 }),
    named({ holderIdentity: "", acquireTime: "yesterday" }),
    named({ holderIdentity: "me", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z" }),
  ),
  each(
    "NetworkPolicy",
    paths.networkPolicies,
    named({ podSelector: { matchLabels: { a: "not ok" } } }),
    named({ podSelector: {}, ingress: [{ from: [{}] }] }),
    named({ podSelector: {}, policyTypes: ["Odd"] }),
    named({ podSelector: {}, egress: [{ ports: [{ port: 70_000 }], to: [{ ipBlock: { cidr: "x" } }] }] }),
    named({ podSelector: {} }),
  ),
  each(
    "Ingress",
    paths.ingresses,
    named({}),
    named({ rules: [{ host: "NOT OK", http: { paths: [] } }] }),
    named({ rules: [{ http: { paths: [{ path: "x", pathType: "Odd", backend: {} }] } }] }),
    named({ defaultBackend: { service: { name: "a", port: { number: 80, name: "x" } } } }),
    named({ defaultBackend: { service: { name: "a", port: { number: 80 } } } }),
  ),
  each(
    "EndpointSlice",
    paths.endpointSlices,
    { metadata: { name: "a" }, addressType: "Odd", endpoints: [] },
    { metadata: { name: "a" }, addressType: "IPv4", endpoints: [{ addresses: [] }] },
    { metadata: { name: "a" }, addressType: "IPv4", endpoints: [{ addresses: ["127.0.0.1"] }] },
    {
      metadata: { name: "a" },
      addressType: "IPv4",
      endpoints: [{ addresses: ["x"] }],
      ports: [{ name: "UPPER", port: 0 }],
    },
    {
      metadata: { name: "a" },
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.244.0.5"] }],
      ports: [{ name: "http", port: 80 }],
    },
  ),
  script(
    "Node",
    post("/api/v1/nodes", {
      metadata: { name: "{{ns}}" },
      spec: {
        taints: [
          { key: "a", effect: "Odd" },
          { key: "", effect: "NoSchedule" },
        ],
      },
    }),
    post("/api/v1/nodes", { metadata: { name: "{{ns}}" }, spec: { podCIDR: "x", providerID: "a" } }),
    post("/api/v1/nodes", {
      metadata: { name: "{{ns}}" },
      spec: {
        taints: [
          { key: "a", effect: "NoSchedule" },
          { key: "a", effect: "NoSchedule" },
        ],
      },
    }),
    post("/api/v1/nodes", { metadata: { name: "{{ns}}" } }),
    merge("/api/v1/nodes/{{ns}}", { spec: { unschedulable: true } }),
    merge("/api/v1/nodes/{{ns}}/status", {
      status: { conditions: [{ type: "Ready", status: "True" }], capacity: { cpu: "-1" } },
    }),
  ),
  script(
    "Node: status",
    setup(post("/api/v1/nodes", { metadata: { name: "{{ns}}" } })),
    merge("/api/v1/nodes/{{ns}}/status", {
      status: { capacity: { pods: "1.5", "example.io/gpu": "500m", cpu: "1500m" } },
    }),
    merge("/api/v1/nodes/{{ns}}/status", {
      status: { capacity: { cpu: "4" }, allocatable: { cpu: "3" } },
    }),
  ),
  script(
    "Event: changes",
    post(paths.events, {
      metadata: { name: "core" },
      involvedObject: { namespace: "{{ns}}", name: "x", kind: "Pod" },
      eventTime: "2026-01-01T00:00:00.000000Z",
      reason: "r".repeat(129),
      message: "m".repeat(1025),
    }),
    post(newerEvents, { ...newerEvent, series: { count: 1 } }),
    post(newerEvents, { ...newerEvent, deprecatedCount: 2, deprecatedSource: { component: "x" } }),
    post(newerEvents, newerEvent),
    merge(`${newerEvents}/a`, { note: "other" }),
    merge(`${newerEvents}/a`, {
      series: { count: 2, lastObservedTime: "2026-01-01T00:01:00.000000Z" },
    }),
    merge(`${paths.events}/a`, { message: "other" }),
    merge(`${newerEvents}/a`, { series: { count: 0 } }),
    get(`${newerEvents}/none`),
    post(newerEvents, newerEvent),
    post(newerEvents, { apiVersion: "v1", kind: "Event", metadata: { name: "b" } }),
  ),
  script(
    "Event",
    post(paths.events, { metadata: { name: "a" }, involvedObject: { namespace: "other", name: "x" } }),
    post(paths.events, {
      metadata: { name: "b" },
      involvedObject: { namespace: "{{ns}}", name: "x", kind: "Pod" },
      reason: "R",
      message: "m",
      type: "Normal",
    }),
    post("/apis/events.k8s.io/v1/namespaces/{{ns}}/events", {
      metadata: { name: "c" },
      regarding: { namespace: "{{ns}}", name: "x" },
    }),
    post("/apis/events.k8s.io/v1/namespaces/{{ns}}/events", {
      metadata: { name: "d" },
      regarding: { namespace: "{{ns}}", name: "x", kind: "Pod" },
      eventTime: "2026-01-01T00:00:00.000000Z",
      action: "A",
      reason: "R",
      reportingController: "example.io/c",
      reportingInstance: "i",
      type: "Normal",
      note: "n",
    }),
    get(`${paths.events}/d`),
  ),
  script(
    "Namespace",
    post("/api/v1/namespaces", { metadata: { name: "UPPER" } }),
    post("/api/v1/namespaces", { metadata: { name: "{{ns}}-b" }, spec: { finalizers: ["not ok"] } }),
    post("/api/v1/namespaces", { metadata: { name: "{{ns}}-c" }, spec: { finalizers: ["example.io/x"] } }),
    merge("/api/v1/namespaces/{{ns}}-c", { spec: { finalizers: [] } }),
    merge("/api/v1/namespaces/{{ns}}-c/status", { status: { phase: "Odd" } }),
  ),
  script(
    "ServiceAccount",
    post(paths.serviceAccounts, { metadata: { name: "a" }, secrets: [{ name: "" }] }),
    post(paths.serviceAccounts, { metadata: { name: "UPPER" } }),
    get(`${paths.serviceAccounts}/a`),
  ),
  script(
    "PriorityClass and StorageClass",
    post("/apis/scheduling.k8s.io/v1/priorityclasses", {
      metadata: { name: "{{ns}}" },
      value: 2_000_000_000,
    }),
    post("/apis/scheduling.k8s.io/v1/priorityclasses", { metadata: { name: "system-{{ns}}" }, value: 1 }),
    post("/apis/scheduling.k8s.io/v1/priorityclasses", {
      metadata: { name: "{{ns}}" },
      value: 5,
      preemptionPolicy: "Odd",
    }),
    post("/apis/scheduling.k8s.io/v1/priorityclasses", { metadata: { name: "{{ns}}" }, value: 5 }),
    merge("/apis/scheduling.k8s.io/v1/priorityclasses/{{ns}}", { value: 6 }),
    post("/apis/storage.k8s.io/v1/storageclasses", { metadata: { name: "{{ns}}" } }),
    post("/apis/storage.k8s.io/v1/storageclasses", {
      metadata: { name: "{{ns}}" },
      provisioner: "example.io/x",
      reclaimPolicy: "Odd",
    }),
    post("/apis/storage.k8s.io/v1/storageclasses", {
      metadata: { name: "{{ns}}" },
      provisioner: "example.io/x",
    }),
  ),
  script(
    "HorizontalPodAutoscaler",
    ...(
      [
        { maxReplicas: 0, scaleTargetRef: { kind: "Deployment", name: "a" } },
        { minReplicas: 5, maxReplicas: 2, scaleTargetRef: { kind: "", name: "" } },
        { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" } },
      ] as JsonMap[]
    ).map((spec) => post(autoscalers, named(spec))),
  ),
  script(
    "HorizontalPodAutoscaler: metrics",
    ...(
      [
        {},
        { type: "Odd" },
        { type: "Resource", pods: { metric: { name: "x" }, target: { type: "Value", value: "1" } } },
        { type: "Resource", resource: { name: "", target: { type: "Odd" } } },
        {
          type: "Resource",
          resource: {
            name: "cpu",
            target: { type: "Utilization", averageUtilization: 0, averageValue: "-1" },
          },
        },
        {
          type: "ContainerResource",
          containerResource: { name: "odd", container: "", target: { type: "" } },
        },
        {
          type: "External",
          external: {
            metric: { name: "a/b" },
            target: { type: "Value", value: "1", averageValue: "1" },
          },
        },
        {
          type: "Object",
          object: {
            metric: { name: "" },
            describedObject: { apiVersion: "a/b/c", kind: "Service", name: "a" },
            target: { type: "Value" },
          },
        },
        { type: "Pods", pods: { metric: { name: "x" }, target: { type: "AverageValue" } } },
      ] as JsonMap[]
    ).map((metric) => post(autoscalers, autoscaler({ metrics: [metric] }))),
  ),
  script(
    "HorizontalPodAutoscaler: behaviour and updates",
    post(
      autoscalers,
      autoscaler({
        behavior: {
          scaleUp: { stabilizationWindowSeconds: -1, selectPolicy: "Most" },
          scaleDown: {
            stabilizationWindowSeconds: 3601,
            policies: [
              { type: "Odd", value: 0, periodSeconds: 0 },
              { type: "Pods", value: 1, periodSeconds: 1801 },
            ],
          },
        },
      }),
    ),
    post(autoscalers, autoscaler({ minReplicas: 0 })),
    post(autoscalers, autoscaler({ maxReplicas: -1 })),
    post(autoscalers, autoscaler({ scaleTargetRef: { apiVersion: "v1", kind: "a/b", name: "a%b" } })),
    post(autoscalers, autoscaler({ behavior: { scaleDown: { selectPolicy: "Disabled" } } })),
    merge(`${autoscalers}/a`, { spec: { maxReplicas: 0 } }),
    merge(`${autoscalers}/a`, { spec: { scaleTargetRef: { apiVersion: "" } } }),
    merge(`${autoscalers}/a/status`, { status: { currentReplicas: -1 } }),
  ),
  each(
    "Metadata",
    paths.configMaps,
    ...(
      [
        { name: "a", labels: { "": "x" } },
        { name: "a", annotations: { UPPER: "x", "a/b/c": "y" } },
        { name: "a", generation: -1 },
        { name: "a", finalizers: ["x"] },
        { name: "a", namespace: "other" },
        { name: "a", generateName: "b-" },
        { name: "a", deletionTimestamp: "2020-01-01T00:00:00Z", deletionGracePeriodSeconds: 3 },
        { name: "b", managedFields: [{ operation: "Odd", fieldsType: "Odd" }] },
      ] as JsonMap[]
    ).map((metadata) => ({ metadata }) as { [key: string]: Json }),
  ),
];
