import type { JsonMap, RequestStep, Script, Step } from "../script.ts";
import { apply, container, deployment, get, merge, paths, post, service, setup, strategic } from "./make.ts";

const { deployments, services, pods } = paths;
const web = `${deployments}/web`;
const script = (name: string, ...steps: Step[]): Script => ({ name, area: "apply", steps });

/** A Deployment `web` with these containers. */
const by = (manager: string, containers: JsonMap[], spec: JsonMap = {}, query = ""): RequestStep =>
  apply(web, manager, workload(containers, spec), query);
const workload = (containers: JsonMap[], spec: JsonMap = {}): JsonMap => {
  const { spec: whole, ...head } = deployment("web", {}, { containers });
  const { replicas: _replicas, ...rest } = whole as JsonMap;
  return { ...head, spec: { ...rest, ...spec } };
};
/** A partial configuration of the Deployment `web`. */
const part = (manager: string, spec: JsonMap, query = ""): Step =>
  apply(web, manager, { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec }, query);
const inPod = (manager: string, spec: JsonMap, query = ""): Step =>
  part(manager, { template: { spec } }, query);
const first = setup(by("one", [container()], { replicas: 2 }));
const scale = (replicas: number): JsonMap => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name: "web" },
  spec: { replicas },
});
const status = (manager: string, value: JsonMap, query = ""): Step =>
  apply(
    `${web}/status`,
    manager,
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", labels: { ignored: "yes" } },
      status: value,
    },
    query,
  );

/** Lists whose items have owners, subresources, and common kinds. */
export const applyingWorkloads: readonly Script[] = [
  script(
    "a Deployment, created and given up",
    by("one", [container()], { replicas: 2 }),
    by("one", [container()]),
    get(web),
  ),
  script(
    "a container beside those of another manager",
    first,
    inPod("two", { containers: [{ name: "side", image: "busybox" }] }),
    by("one", [container({ image: "nginx:2" })], { replicas: 2 }),
    inPod("two", { containers: [] }),
    get(web),
  ),
  script(
    "a container with two owners",
    first,
    inPod("two", { containers: [{ name: "main", env: [{ name: "A", value: "1" }] }] }),
    by("one", [container({ env: [{ name: "B", value: "2" }] })], { replicas: 2 }),
    inPod("two", { containers: [{ name: "main" }] }),
    get(web),
  ),
  script(
    "the order of containers",
    first,
    by("one", [container({ name: "b" }), container(), container({ name: "a" })], { replicas: 2 }),
    by("one", [container({ name: "a" }), container(), container({ name: "b" })], { replicas: 2 }),
    inPod("two", { containers: [{ name: "c", image: "x" }, { name: "main" }] }),
    by("one", [container()], { replicas: 2 }),
  ),
  script(
    "ports are keyed by number and protocol",
    by("one", [
      container({
        ports: [
          { containerPort: 80 },
          { containerPort: 80, protocol: "UDP" },
          { containerPort: 8080, name: "web" },
        ],
      }),
    ]),
    by("one", [
      container({
        ports: [
          { containerPort: 80, protocol: "TCP" },
          { containerPort: 8080, name: "web" },
        ],
      }),
    ]),
    inPod("two", { containers: [{ name: "main", ports: [{ containerPort: 80, name: "a" }] }] }),
  ),
  script(
    "duplicate items",
    first,
    by("one", [container({ ports: [{ containerPort: 80 }, { containerPort: 80, protocol: "TCP" }] })]),
    by("one", [container({ env: [{ name: "A" }, { name: "A" }] })]),
    by("one", [container(), container()]),
  ),
  script(
    "an item without its key",
    first,
    by("one", [{ image: "x" }]),
    by("one", [container({ ports: [{ name: "p" }] })]),
  ),
  script(
    "replicas of two managers",
    first,
    part("two", { replicas: 3 }),
    part("two", { replicas: 3 }, "&force=true"),
    by("one", [container()], { replicas: 2 }),
    by("one", [container()]),
    get(web),
  ),
  script(
    "a selector is atomic",
    by("one", [container()]),
    part("two", { selector: { matchLabels: { other: "x" } } }),
    part("two", { selector: { matchLabels: { other: "x" } } }, "&force=true"),
  ),
  script(
    "tolerations are atomic",
    first,
    inPod("two", { tolerations: [{ key: "a", operator: "Exists" }] }),
    inPod("three", { tolerations: [{ key: "b", operator: "Exists" }] }),
    inPod("two", {}),
    get(web),
  ),
  script(
    "volumes with one source each",
    first,
    inPod("two", { volumes: [{ name: "v", emptyDir: {} }] }),
    inPod("two", { volumes: [{ name: "v", configMap: { name: "c" } }] }),
    inPod("two", {}),
  ),
  script(
    "node selectors and affinity",
    first,
    inPod("two", { nodeSelector: { a: "b" } }),
    inPod("three", { nodeSelector: { c: "d" } }),
  ),
  script(
    "quantities are compared as they are stored",
    first,
    inPod("two", { containers: [{ name: "main", resources: { limits: { cpu: 1, memory: "1024Mi" } } }] }),
    inPod("two", { containers: [{ name: "main", resources: { limits: { cpu: 1, memory: "1024Mi" } } }] }),
    inPod("three", { containers: [{ name: "main", resources: { limits: { cpu: "1" } } }] }),
  ),
  script(
    "values of the wrong type",
    first,
    part("two", { replicas: "5" }),
    part("two", { paused: "x" }),
    inPod("two", { schedulerName: 5 }),
    inPod("two", { containers: { a: "b" } }),
    inPod("two", { containers: [null] }),
    apply(web, "two", { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec: [] }),
  ),
  script(
    "the result has to be valid",
    part("one", {}),
    first,
    inPod("two", { containers: [{ name: "main", resources: { limits: { cpu: "many" } } }] }),
    inPod("two", { restartPolicy: "Never" }),
  ),
  script(
    "an update of the scale",
    first,
    merge(`${web}/scale?fieldManager=scaler`, { spec: { replicas: 5 } }),
    get(web),
    by("one", [container()], { replicas: 2 }),
    by("one", [container()]),
    get(web),
  ),
  script(
    "apply to the scale",
    first,
    apply(`${web}/scale`, "scaler", scale(4)),
    apply(`${web}/scale`, "scaler", scale(4), "&force=true"),
    get(web),
    apply(`${web}/scale`, "scaler", scale(6)),
    get(web),
    apply(`${deployments}/none/scale`, "scaler", { ...scale(1), metadata: { name: "none" } }),
  ),
  script(
    "apply to the status",
    first,
    status("ctl", { replicas: 1, conditions: [{ type: "Available", status: "True" }] }),
    status("other", { conditions: [{ type: "Progressing", status: "True" }] }),
    status("other", { replicas: 2 }),
    status("ctl", {}),
    get(web),
  ),
  script(
    "status in an apply to the object",
    apply(web, "one", { ...workload([container()]), status: { replicas: 7 } }),
  ),
  script("apply to the status of a missing object", status("ctl", { replicas: 1 })),
  script(
    "a Service and its ports",
    apply(`${services}/web`, "one", service("web", { ports: [{ port: 80, targetPort: "http" }] })),
    apply(`${services}/web`, "two", service("web", { ports: [{ port: 81, name: "b" }] })),
    apply(`${services}/web`, "one", service("web", { ports: [{ port: 80, name: "a" }] })),
    apply(`${services}/web`, "two", {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web" },
      spec: { ports: [{ port: 81, name: "b", protocol: "TCP" }] },
    }),
    apply(`${services}/web`, "one", service("web", { ports: [{ port: 80, name: "a" }], type: "NodePort" })),
    get(`${services}/web`),
  ),
  script(
    "status of a Pod by its node",
    setup(
      post(pods, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a" },
        spec: { automountServiceAccountToken: false, containers: [container()] },
      }),
    ),
    strategic(
      `${pods}/a/status`,
      { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
      { userAgent: "kubelet/v1.36" },
    ),
    get(`${pods}/a`),
  ),
];

const annotation = "kubectl.kubernetes.io/last-applied-configuration";
const applied = (object: JsonMap): JsonMap => ({
  ...object,
  metadata: { ...(object.metadata as JsonMap), annotations: { [annotation]: `${JSON.stringify(object)}\n` } },
});
const clientSide = setup(
  post(
    `${deployments}?fieldManager=kubectl-client-side-apply`,
    applied(workload([container()], { replicas: 1 })),
  ),
);

/** Migration from kubectl apply to kubectl apply --server-side, and back. */
export const migrating: readonly Script[] = [
  script(
    "kubectl goes from client-side to server-side",
    clientSide,
    by("kubectl", [container({ image: "nginx:2" })], { replicas: 2 }),
    get(web),
    by("kubectl", [container({ image: "nginx:2", env: [{ name: "A", value: "<&>" }] })], { replicas: 2 }),
  ),
  script(
    "other clients do not migrate",
    clientSide,
    by("helm", [container({ image: "nginx:2" })], { replicas: 2 }),
  ),
  script(
    "later changes of others are conflicts",
    clientSide,
    merge(`${web}?fieldManager=other`, { spec: { replicas: 9 } }),
    by("kubectl", [container({ image: "nginx:2" })], { replicas: 2 }),
    by("kubectl", [container({ image: "nginx:2" })], { replicas: 2 }, "&force=true"),
  ),
  script(
    "an annotation of another version is ignored",
    setup(
      post(`${deployments}?fieldManager=kubectl-client-side-apply`, {
        ...workload([container()], { replicas: 1 }),
        metadata: {
          name: "web",
          annotations: { [annotation]: '{"apiVersion":"apps/v1beta1","kind":"Deployment"}' },
        },
      }),
    ),
    by("kubectl", [container()], { replicas: 2 }),
  ),
];
