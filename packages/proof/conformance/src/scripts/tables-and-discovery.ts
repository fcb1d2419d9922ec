import type { JsonMap, Script, Step } from "../script.ts";
import { configMap, deployment, get, paths, pod, post, service, setup, whenServed } from "./make.ts";

const tables = (name: string, ...steps: Step[]): Script => ({ name, area: "tables", steps });
const discovery = (name: string, ...steps: Step[]): Script => ({ name, area: "discovery", steps });
/** The Accept header of kubectl. */
const accept =
  "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
const table = (path: string): Step => get(path, { accept });
const template: JsonMap = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "main", image: "nginx" }] },
};
const job: JsonMap = {
  template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "b" }] } },
};
const make = (path: string, body: JsonMap): Step => setup(post(path, body));

/** The output of `kubectl get`. */
export const tablesAndDiscovery: readonly Script[] = [
  tables(
    "Pods",
    make(paths.pods, pod("a")),
    make(paths.pods, pod("b", { nodeName: "n1", readinessGates: [{ conditionType: "example.io/x" }] })),
    table(paths.pods),
    table(`${paths.pods}/a`),
    table(`${paths.pods}?includeObject=Object`),
    table(`${paths.pods}?includeObject=None`),
    table(`${paths.pods}?includeObject=All`),
  ),
  tables(
    "workloads",
    make(paths.deployments, deployment("web")),
    make(paths.replicaSets, {
      metadata: { name: "rs" },
      spec: { replicas: 1, selector: { matchLabels: { app: "a" } }, template },
    }),
    make(paths.statefulSets, {
      metadata: { name: "db" },
      spec: { serviceName: "db", selector: { matchLabels: { app: "a" } }, template },
    }),
    make(paths.daemonSets, {
      metadata: { name: "ds" },
      spec: { selector: { matchLabels: { app: "a" } }, template },
    }),
    ...[paths.deployments, paths.replicaSets, paths.statefulSets, paths.daemonSets].map(table),
  ),
  tables(
    "Jobs and CronJobs",
    make(paths.jobs, { metadata: { name: "once" }, spec: job }),
    make(paths.cronJobs, {
      metadata: { name: "often" },
      spec: { schedule: "*/5 * * * *", jobTemplate: { spec: job } },
    }),
    table(paths.jobs),
    table(paths.cronJobs),
  ),
  tables(
    "configuration",
    make(paths.configMaps, configMap()),
    make(paths.secrets, { metadata: { name: "s" }, stringData: { a: "b", c: "d" } }),
    table(paths.configMaps),
    table(paths.secrets),
    table(paths.serviceAccounts),
  ),
  tables(
    "Services",
    make(paths.services, service("headless", { clusterIP: "None" })),
    make(
      paths.services,
      service("named", {
        ports: [
          { name: "http", port: 80 },
          { name: "dns", port: 53, protocol: "UDP" },
        ],
      }),
    ),
    make(paths.services, {
      metadata: { name: "elsewhere" },
      spec: { type: "ExternalName", externalName: "example.com" },
    }),
    table(paths.services),
  ),
  tables(
    "quotas and limits",
    make(paths.resourceQuotas, { metadata: { name: "q" }, spec: { hard: { pods: "5" } } }),
    make(paths.limitRanges, {
      metadata: { name: "l" },
      spec: { limits: [{ type: "Container", default: { cpu: "1" } }] },
    }),
    make(paths.disruptionBudgets, {
      metadata: { name: "b" },
      spec: { minAvailable: 1, selector: { matchLabels: { app: "a" } } },
    }),
    table(paths.resourceQuotas),
    table(paths.limitRanges),
    table(paths.disruptionBudgets),
  ),
  tables(
    "access",
    make(paths.roles, { metadata: { name: "r" }, rules: [] }),
    make(paths.roleBindings, {
      metadata: { name: "b" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
      subjects: [{ kind: "ServiceAccount", name: "a", namespace: "{{ns}}" }],
    }),
    table(paths.roles),
    table(paths.roleBindings),
  ),
  tables(
    "network",
    make(paths.networkPolicies, {
      metadata: { name: "n" },
      spec: { podSelector: { matchLabels: { app: "a" } } },
    }),
    make(paths.ingresses, {
      metadata: { name: "i" },
      spec: { defaultBackend: { service: { name: "a", port: { number: 80 } } } },
    }),
    make(paths.endpointSlices, {
      metadata: { name: "e" },
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.244.0.5"] }],
      ports: [{ name: "http", port: 80 }],
    }),
    table(paths.networkPolicies),
    table(paths.ingresses),
    table(paths.endpointSlices),
  ),
  tables(
    "others",
    make(paths.leases, { metadata: { name: "l" }, spec: { holderIdentity: "me" } }),
    make(paths.claims, {
      metadata: { name: "c" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
    make(paths.events, {
      metadata: { name: "e" },
      involvedObject: { namespace: "{{ns}}", name: "x", kind: "Pod" },
      reason: "R",
      message: "m",
      type: "Normal",
    }),
    table(paths.leases),
    table(paths.claims),
    table(paths.events),
    table("/api/v1/namespaces/{{ns}}"),
  ),
  tables(
    "an empty list, and an error",
    table(paths.pods),
    table(`${paths.pods}/none`),
    table("/api/v1/namespaces/{{ns}}/nothing"),
  ),
  tables(
    "a CRD",
    setup(
      post(paths.definitions, {
        metadata: { name: "bugs.{{ns}}.example.io" },
        spec: {
          group: "{{ns}}.example.io",
          scope: "Namespaced",
          names: { plural: "bugs", kind: "Bug" },
          versions: [
            { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
          ],
        },
      }),
    ),
    ...whenServed,
    table(`${paths.definitions}/bugs.{{ns}}.example.io`),
  ),
  discovery("the core group", get("/api"), get("/api/v1/")),
  ...[
    "apps",
    "batch",
    "rbac.authorization.k8s.io",
    "coordination.k8s.io",
    "policy",
    "networking.k8s.io",
    "discovery.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "authorization.k8s.io",
    "authentication.k8s.io",
    "events.k8s.io",
  ].map((group) => discovery(group, get(`/apis/${group}`), get(`/apis/${group}/v1`))),
  discovery(
    "health",
    get("/healthz"),
    get("/livez"),
    get("/readyz"),
    get("/healthz/ping"),
    get("/readyz?exclude=etcd"),
    get("/livez/none"),
    get("/livez/etcd"),
    get("/healthz/ping/none"),
    get("/healthz//ping"),
  ),
];
