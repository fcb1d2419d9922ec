import type { JsonObject } from "../../../lib/json/json.ts";
import type { Exchange } from "../exchange.ts";
import { container, mergePatch, paths, pod, podWith, strategicMergePatch } from "../objects.ts";

const { pods } = paths;
const spec = (name: string, value: JsonObject): Exchange => ({ name, path: pods, body: pod(value) });
const containerWith = (name: string, value: JsonObject): Exchange => ({
  name: `container: ${name}`,
  path: pods,
  body: podWith(value),
});
const volumes = (name: string, list: JsonObject[], mounts: JsonObject[] = []): Exchange => ({
  name: `volumes: ${name}`,
  path: pods,
  body: pod({ volumes: list, containers: [container({ volumeMounts: mounts })] }),
});
const change = (name: string, body: JsonObject, suffix = "", contentType = mergePatch): Exchange => ({
  name: `update: ${name}`,
  method: "PATCH",
  path: `${pods}/a${suffix}`,
  contentType,
  body,
  given: [
    { path: pods, body: pod({ containers: [container(), container({ name: "side", image: "busybox" })] }) },
  ],
});
const debug = (name: string, list: JsonObject[]): Exchange =>
  change(
    `ephemeral containers: ${name}`,
    { spec: { ephemeralContainers: list } },
    "/ephemeralcontainers",
    strategicMergePatch,
  );
const http = (more: JsonObject = {}): JsonObject => ({ httpGet: { port: 80, ...more } });

export const podExchanges: Exchange[] = [
  spec("minimal", {}),
  {
    name: "most fields",
    path: pods,
    body: pod({
      initContainers: [container({ name: "init", image: "busybox:latest", command: ["true"] })],
      containers: [
        container({
          image:
            "registry.example:5000/a/b@sha256:0000000000000000000000000000000000000000000000000000000000000000",
          ports: [{ containerPort: 80, name: "web" }],
          env: [
            { name: "IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
            { name: "A", value: "" },
          ],
          livenessProbe: http(),
          readinessProbe: { exec: { command: ["true"] }, periodSeconds: 3 },
          startupProbe: { tcpSocket: { port: "web" } },
          lifecycle: { preStop: { httpGet: { port: 80 } } },
          resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "100m" } },
        }),
      ],
      volumes: [
        { name: "empty" },
        { name: "secret", secret: { secretName: "s" } },
        { name: "map", configMap: { name: "c" } },
        { name: "down", downwardAPI: { items: [{ path: "p", fieldRef: { fieldPath: "metadata.name" } }] } },
        { name: "proj", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } },
        { name: "host", hostPath: { path: "/tmp" } },
      ],
      tolerations: [{ key: "a", operator: "Exists" }],
      nodeSelector: { a: "b" },
    }),
  },
  spec("host network", { hostNetwork: true, containers: [container({ ports: [{ containerPort: 80 }] })] }),
  spec("no containers", { containers: [] }),
  { name: "no spec", path: pods, body: { metadata: { name: "a" } } },
  spec("two containers with one name", { containers: [container(), container()] }),
  spec("an init container of the same name", { initContainers: [container()], containers: [container()] }),
  spec("ephemeral containers", { ephemeralContainers: [container({ name: "e" })] }),
  spec("restartPolicy", { restartPolicy: "Sometimes" }),
  spec("dnsPolicy", { dnsPolicy: "Foo" }),
  spec("terminationGracePeriodSeconds", { terminationGracePeriodSeconds: -1 }),
  spec("activeDeadlineSeconds", { activeDeadlineSeconds: 0 }),
  spec("nodeName", { nodeName: "A_" }),
  spec("nodeSelector", { nodeSelector: { "a b": "c d" } }),
  spec("serviceAccountName", { serviceAccountName: "A_" }),
  spec("hostname", { hostname: "A_" }),
  spec("subdomain", { subdomain: "A_" }),
  spec("toleration: operator", { tolerations: [{ key: "a", operator: "Foo" }] }),
  spec("toleration: no key", { tolerations: [{ operator: "Equal", value: "x" }] }),
  spec("toleration: Exists with a value", { tolerations: [{ key: "a", operator: "Exists", value: "x" }] }),
  spec("toleration: effect", { tolerations: [{ key: "a", operator: "Exists", effect: "Foo" }] }),
  spec("toleration: seconds without NoExecute", {
    tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 1 }],
  }),
  spec("image pull secret without a name", { imagePullSecrets: [{ name: "" }] }),
  spec("priority", { priority: 5 }),
  spec("missing priority class", { priorityClassName: "foo" }),
  spec("host users", { hostUsers: false, hostNetwork: true }),
  spec("os", { os: { name: "beos" } }),
  spec("share process namespace with the host's", { shareProcessNamespace: true, hostPID: true }),
  containerWith("no name", { name: "" }),
  containerWith("bad name", { name: "A_" }),
  containerWith("no image", { image: "" }),
  containerWith("image with spaces", { image: " nginx " }),
  containerWith("imagePullPolicy", { imagePullPolicy: "Sometimes" }),
  containerWith("port: 0", { ports: [{ containerPort: 0 }] }),
  containerWith("port: none", { ports: [{ name: "web" }] }),
  containerWith("port: too large", { ports: [{ containerPort: 70000, hostPort: 70000 }] }),
  containerWith("port: protocol", { ports: [{ containerPort: 80, protocol: "ICMP" }] }),
  containerWith("port: name", { ports: [{ containerPort: 80, name: "Web_Port_of_mine" }] }),
  containerWith("port: two of one name", {
    ports: [
      { containerPort: 80, name: "web" },
      { containerPort: 81, name: "web" },
    ],
  }),
  containerWith("port: host port of another on the host network", {
    ports: [
      { containerPort: 80, hostPort: 80 },
      { containerPort: 81, hostPort: 80 },
    ],
  }),
  containerWith("env: no name", { env: [{ name: "", value: "x" }] }),
  containerWith("env: bad name", { env: [{ name: "a=b", value: "x" }] }),
  containerWith("env: value and source", {
    env: [{ name: "A", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
  }),
  containerWith("env: empty source", { env: [{ name: "A", valueFrom: {} }] }),
  containerWith("env: unknown field", {
    env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.foo" } } }],
  }),
  containerWith("env: field reference without a path", {
    env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "" } } }],
  }),
  containerWith("env: key of a Secret without a name", {
    env: [{ name: "A", valueFrom: { secretKeyRef: { name: "", key: "" } } }],
  }),
  containerWith("env: key of a ConfigMap", {
    env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "c", key: "a b" } } }],
  }),
  containerWith("envFrom: nothing", { envFrom: [{}] }),
  containerWith("envFrom: two", { envFrom: [{ configMapRef: { name: "a" }, secretRef: { name: "b" } }] }),
  containerWith("probe: no handler", { livenessProbe: {} }),
  containerWith("probe: two handlers", { livenessProbe: { ...http(), exec: { command: ["x"] } } }),
  containerWith("probe: port", { livenessProbe: http({ port: 0 }) }),
  containerWith("probe: name of a port", { livenessProbe: http({ port: "Foo_" }) }),
  containerWith("probe: scheme", { livenessProbe: http({ scheme: "ftp" }) }),
  containerWith("probe: success threshold", { livenessProbe: { ...http(), successThreshold: 2 } }),
  containerWith("probe: negative", {
    livenessProbe: {
      ...http(),
      periodSeconds: -1,
      timeoutSeconds: -1,
      failureThreshold: -1,
      initialDelaySeconds: -1,
    },
  }),
  containerWith("probe: empty command", { livenessProbe: { exec: { command: [] } } }),
  containerWith("lifecycle: two handlers", {
    lifecycle: { preStop: { ...http(), exec: { command: ["x"] } } },
  }),
  containerWith("lifecycle: no handler", { lifecycle: { postStart: {} } }),
  containerWith("resources: request above the limit", {
    resources: { limits: { cpu: "1" }, requests: { cpu: "2" } },
  }),
  containerWith("resources: negative", { resources: { limits: { cpu: "-1" } } }),
  containerWith("resources: unknown", { resources: { limits: { foo: "1" } } }),
  containerWith("resources: extended without a limit", { resources: { requests: { "ex.io/gpu": "1" } } }),
  containerWith("resources: extended and not whole", { resources: { limits: { "ex.io/gpu": "1500m" } } }),
  containerWith("terminationMessagePolicy", { terminationMessagePolicy: "Foo" }),
  containerWith("privileged without escalation", {
    securityContext: { privileged: true, allowPrivilegeEscalation: false },
  }),
  containerWith("user", { securityContext: { runAsUser: -1 } }),
  containerWith("stdin and tty", { stdin: true, stdinOnce: true, tty: true }),
  containerWith("restartPolicy", { restartPolicy: "Always" }),
  volumes("no name", [{ name: "", emptyDir: {} }]),
  volumes("bad name", [{ name: "A_", emptyDir: {} }]),
  volumes("two of one name", [
    { name: "a", emptyDir: {} },
    { name: "a", emptyDir: {} },
  ]),
  volumes("two sources", [{ name: "a", emptyDir: {}, hostPath: { path: "/x" } }]),
  volumes("secret without a name", [{ name: "a", secret: {} }]),
  volumes("configMap without a name", [{ name: "a", configMap: {} }]),
  volumes("configMap: item without a path", [
    { name: "a", configMap: { name: "c", items: [{ key: "", path: "" }] } },
  ]),
  volumes("configMap: path upwards", [
    { name: "a", configMap: { name: "c", items: [{ key: "k", path: "../x" }] } },
  ]),
  volumes("configMap: mode", [{ name: "a", configMap: { name: "c", defaultMode: 1000 } }]),
  volumes("hostPath: none", [{ name: "a", hostPath: { path: "" } }]),
  volumes("hostPath: upwards", [{ name: "a", hostPath: { path: "/a/../b" } }]),
  volumes("hostPath: type", [{ name: "a", hostPath: { path: "/a", type: "Foo" } }]),
  volumes("claim without a name", [{ name: "a", persistentVolumeClaim: { claimName: "" } }]),
  volumes("emptyDir: size", [{ name: "a", emptyDir: { sizeLimit: "-1" } }]),
  volumes("mount: unknown", [], [{ name: "x", mountPath: "/x" }]),
  volumes("mount: no path", [{ name: "a", emptyDir: {} }], [{ name: "a", mountPath: "" }]),
  volumes(
    "mount: one path twice",
    [{ name: "a", emptyDir: {} }],
    [
      { name: "a", mountPath: "/x" },
      { name: "a", mountPath: "/x" },
    ],
  ),
  volumes("mount: subPath", [{ name: "a", emptyDir: {} }], [{ name: "a", mountPath: "/x", subPath: "/abs" }]),
  volumes("mount: no name", [{ name: "a", emptyDir: {} }], [{ name: "", mountPath: "/x" }]),
  change("image", { spec: { containers: [{ name: "main", image: "nginx:2" }] } }, "", strategicMergePatch),
  change("image removed", { spec: { containers: [{ name: "main", image: "" }] } }, "", strategicMergePatch),
  change("command", { spec: { containers: [{ name: "main", command: ["x"] }] } }, "", strategicMergePatch),
  change(
    "a container added",
    { spec: { containers: [{ name: "new", image: "x" }] } },
    "",
    strategicMergePatch,
  ),
  change(
    "a container removed",
    { spec: { containers: [{ name: "side", $patch: "delete" }] } },
    "",
    strategicMergePatch,
  ),
  change("nodeName", { spec: { nodeName: "n" } }),
  change("restartPolicy", { spec: { restartPolicy: "Never" } }),
  change("activeDeadlineSeconds", { spec: { activeDeadlineSeconds: 10 } }),
  change("a toleration added", {
    spec: {
      tolerations: [
        { key: "x", operator: "Exists" },
        {
          key: "node.kubernetes.io/not-ready",
          operator: "Exists",
          effect: "NoExecute",
          tolerationSeconds: 300,
        },
        {
          key: "node.kubernetes.io/unreachable",
          operator: "Exists",
          effect: "NoExecute",
          tolerationSeconds: 300,
        },
      ],
    },
  }),
  change("tolerations removed", { spec: { tolerations: null } }),
  change("terminationGracePeriodSeconds", { spec: { terminationGracePeriodSeconds: 5 } }),
  change("ephemeral containers by the main resource", {
    spec: { ephemeralContainers: [{ name: "e", image: "x" }] },
  }),
  change("labels", { metadata: { labels: { a: "b" } } }),
  change(
    "status",
    { status: { phase: "Running", podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }] } },
    "/status",
  ),
  debug("one", [{ name: "debug", image: "busybox", targetContainerName: "main", stdin: true, tty: true }]),
  debug("name of a container", [{ name: "main", image: "busybox" }]),
  debug("no name", [{ name: "", image: "busybox" }]),
  debug("no image", [{ name: "debug" }]),
  debug("unknown target", [{ name: "debug", image: "busybox", targetContainerName: "nope" }]),
  debug("ports", [{ name: "debug", image: "busybox", ports: [{ containerPort: 80 }] }]),
  debug("probes, lifecycle, resources", [
    {
      name: "debug",
      image: "busybox",
      livenessProbe: http(),
      lifecycle: { preStop: http() },
      resources: { limits: { cpu: "1" } },
    },
  ]),
  debug("subPath", [
    { name: "debug", image: "busybox", volumeMounts: [{ name: "x", mountPath: "/x", subPath: "y" }] },
  ]),
];
